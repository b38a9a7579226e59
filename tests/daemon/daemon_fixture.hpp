// A daemon on a project with one job, and a site with a configurable delay.
#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <string_view>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/sqlite/core/connection.hpp"
#include "tests/program/running_daemon.hpp"
#include "tests/support/processes.hpp"
#include "tests/support/test_site.hpp"

namespace heddle::testing {

inline constexpr std::string_view kQuickRecovery = R"([script]
cpu_limit = "900ms"
[recovery]
hang_timeout = "1s"
poison_limit = 2
max_restarts = 1000
backoff = "0s"
)";

class DaemonFixture : public ::testing::Test {
 protected:
  void SetUp() override {
    site_.handle("/page", [this](const SiteRequest& request) {
      std::this_thread::sleep_for(pause_.load());
      return html("<li>" + request.query + "</li>");
    });
  }

  void write_job(int pages, std::string_view more = "") {
    std::string urls;
    for (int i = 0; i < pages; ++i)
      urls += "\"" + site_.url("/page?p" + std::to_string(i)) + "\", ";
    project_.write_job("pages", "urls = [" + urls +
                                    "]\nselector = \"li\"\nfields = [\"text:\"]\nworkers = 2\n"
                                    "stagger = \"0s\"\n" +
                                    std::string(more));
  }

  // Checks the exit code and output of a command.
  ProgramResult expect(std::vector<std::string> arguments, int exit_code, const std::string& text) {
    ProgramResult result = project_.heddle(std::move(arguments));
    EXPECT_EQ(result.exit_code, exit_code) << result.out << result.err;
    EXPECT_THAT(result.out + result.err, ::testing::HasSubstr(text));
    return result;
  }

  std::int64_t count(const std::string& sql) {
    auto db = store::Connection::open(project_.database(), {.read_only = true});
    if (!db) return -1;
    const auto number = (*db)->query_integer(sql);
    return number ? *number : -1;
  }
  // Only while no daemon has the database open.
  void execute(const std::string& sql) {
    auto db = store::Connection::open(project_.database(), {});
    ASSERT_TRUE(db) << db.error().message;
    const auto done = (*db)->execute(sql);
    EXPECT_TRUE(done) << done.error().message;
  }
  std::int64_t pages_done() { return count("SELECT count(*) FROM tasks WHERE state = 3"); }
  std::int64_t unfinished_runs() {
    return count("SELECT count(*) FROM runs WHERE ended_at IS NULL");
  }

  std::atomic<std::chrono::milliseconds> pause_{std::chrono::milliseconds(1)};
  TestSite site_;
  ProjectFolder project_{kQuickRecovery};
};

}  // namespace heddle::testing
