// Real worker processes with the coordinator in the test, and a site that holds requests back.
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include "app/daemon/coordinator_runtime.hpp"
#include "base/drive.hpp"
#include "config/load_project.hpp"
#include "lifecycle/run_ledger.hpp"
#include "store/sqlite/core/connection.hpp"
#include "tests/program/project_folder.hpp"
#include "tests/support/processes.hpp"
#include "tests/support/recording_log.hpp"
#include "tests/support/test_site.hpp"

namespace heddle::testing {

inline constexpr int kPages = 8;
inline constexpr int kConcurrentPages = 4;

// No timeouts: every worker that dies is killed by the test.
inline constexpr std::string_view kNoTimeouts = R"([limits]
per_host = 4
[recovery]
hang_timeout = "10m"
backoff = "0s"
max_restarts = 100000
poison_limit = 1000
[daemon]
shutdown_timeout = "10m"
)";

class WorkerFixture : public ::testing::Test {
 protected:
  void SetUp() override {
    // Every response has a unique item, so that duplicates are detected.
    site_.handle("/page", [this](const SiteRequest& request) {
      return html("<li>" + request.query + " for request " + std::to_string(++answered_) + "</li>");
    });
    write_job(0);
    std::filesystem::create_directories(project_.database().parent_path());
    app::CoordinatorSettings settings;
    settings.program = heddle_program();
    auto opened = app::CoordinatorRuntime::open(loop_, load(), settings, log_);
    ASSERT_TRUE(opened) << opened.error().message;
    coordinator_ = std::move(*opened);
    ASSERT_TRUE(coordinator_->start());
  }

  void TearDown() override {
    site_.release("/page");
    if (coordinator_)
      heddle::drive(loop_,
                    coordinator_->shut_down(Deadline::clock::now() + std::chrono::seconds(1)));
  }

  void write_job(int round) const {
    std::string urls;
    for (int page = 0; page < kPages; ++page)
      urls +=
          "\"" + site_.url("/page?r" + std::to_string(round) + "p" + std::to_string(page)) + "\", ";
    project_.write_job("pages", "urls = [" + urls +
                                    "]\nselector = \"li\"\nfields = [\"text:\"]\nworkers = 4\n"
                                    "stagger = \"0s\"\n[webhook]\nenabled = true\nurl = \"" +
                                    site_.url("/hook") + "\"\n");
  }
  [[nodiscard]] Project load() const {
    auto loaded = config::load_project(project_.path(), {});
    for (const auto& problem : loaded.project_problems) ADD_FAILURE() << config::to_text(problem);
    return std::move(loaded.project);
  }

  // Starts a run of the job as it is configured now.
  void start_run() {
    finished_.reset();
    const Project project = load();
    ASSERT_EQ(project.jobs.size(), 1U);
    boost::asio::co_spawn(loop_, begin_and_execute(project.jobs.front()),
                          [this](const std::exception_ptr& bug, Result<ExecutionResult> finished) {
                            if (bug) std::rethrow_exception(bug);
                            finished_ = std::move(finished);
                          });
  }

  Async<Result<ExecutionResult>> begin_and_execute(Job job) {
    lifecycle::RunLedger ledger(coordinator_->store(), coordinator_->clock());
    auto begun = co_await ledger.begin(job, RunTrigger::manual);
    if (!begun) co_return std::move(begun).error();
    run_ = begun->id;
    co_return co_await coordinator_->page_executor().execute(std::move(job), std::move(*begun),
                                                             nullptr);
  }

  supervise::SlotStatus worker() { return coordinator_->supervisor().status().front(); }
  bool is_ready() { return worker().state == supervise::SlotState::ready; }

  // Starts a run; returns when its first requests are held by the site.
  supervise::SlotStatus start_pages() {
    EXPECT_TRUE(run_until([this] { return is_ready(); })) << log_.text();
    site_.hold("/page");
    const std::size_t before = site_.count("/page");
    start_run();
    EXPECT_TRUE(run_until([&] { return site_.count("/page") >= before + kConcurrentPages; }))
        << log_.text();
    return worker();
  }

  std::int64_t count(const std::string& sql) {
    auto db = store::Connection::open(project_.database(), {.read_only = true});
    if (!db) return -1;
    const auto number = (*db)->query_integer(sql);
    return number ? *number : -1;
  }

  template <class Condition>
  bool run_until(Condition condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!condition()) {
      if (std::chrono::steady_clock::now() > end) return false;
      loop_.restart();
      loop_.run_one_for(std::chrono::milliseconds(10));
    }
    return true;
  }

  std::atomic<int> answered_ = 0;
  TestSite site_;
  ProjectFolder project_{kNoTimeouts};
  boost::asio::io_context loop_{1};
  RecordingLog log_;
  std::unique_ptr<app::CoordinatorRuntime> coordinator_;
  RunId run_;
  std::optional<Result<ExecutionResult>> finished_;
};

}  // namespace heddle::testing
