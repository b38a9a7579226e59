// `kill -9` of workers, then of the daemon, during runs. Compared with a ledger of what the site
// served: every item once, notified once, no run stuck, no process left.
#include <cstdlib>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "store/sqlite/core/connection.hpp"
#include "store/sqlite/core/statement.hpp"
#include "tests/program/running_daemon.hpp"
#include "tests/support/processes.hpp"
#include "tests/support/test_site.hpp"

namespace heddle::testing {
namespace {

constexpr int kItemsPerPage = 4;
constexpr int kJobs = 2;

int number_from(const char* name, int unless_given) {
  const char* wanted = std::getenv(name);
  return wanted != nullptr ? std::atoi(wanted) : unless_given;
}

std::string page_body(const std::string& page) {
  std::string body;
  for (int i = 0; i < kItemsPerPage; ++i) body += "<li>" + page + "-" + std::to_string(i) + "</li>";
  return body;
}

constexpr std::string_view kProject = R"([limits]
per_host = 16
[recovery]
backoff = "0s"
max_restarts = 100000
poison_limit = 1000
)";

class KilledWorkers : public ::testing::Test {
 protected:
  void SetUp() override {
    site_.stop_remembering();
    site_.handle("/page", [](const SiteRequest& request) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      return html(page_body(request.query));
    });
    site_.handle("/hook", [this](const SiteRequest& request) {
      const std::lock_guard lock(mutex_);
      ++received_[request.header("webhook-id")];
      return SiteResponse{.status = 204};
    });
  }

  static std::string job_name(int job) { return "job" + std::to_string(job); }

  void write_round(int round, int pages) {
    for (int job = 0; job < kJobs; ++job) {
      std::string urls;
      for (int page = 0; page < pages; ++page) {
        const std::string name =
            job_name(job) + "r" + std::to_string(round) + "p" + std::to_string(page);
        urls += site_.url("/page?" + name) + "\n";
        for (int i = 0; i < kItemsPerPage; ++i) ledger_[job].insert(name + "-" + std::to_string(i));
      }
      const std::string folder = "jobs/" + job_name(job) + "/";
      project_.write(folder + "urls.txt", urls);
      project_.write_job(job_name(job),
                         "urls_file = \"urls.txt\"\nselector = \"li\"\nfields = [\"text:\"]\n"
                         "workers = 8\nstagger = \"0s\"\n[webhook]\nenabled = true\nurl = \"" +
                             site_.url("/hook") + "\"\n");
    }
  }

  void kill_random_worker(const RunningDaemon& daemon) {
    const std::vector<pid_t> pids = daemon.workers();
    if (pids.empty()) return;
    const auto victim = std::uniform_int_distribution<std::size_t>(0, pids.size() - 1)(random_);
    if (kill(pids[victim], SIGKILL) == 0) ++killed_;
  }

  std::int64_t unfinished_runs() {
    auto db = store::Connection::open(project_.database(), {.read_only = true});
    EXPECT_TRUE(db);
    return *(*db)->query_integer("SELECT count(*) FROM runs WHERE ended_at IS NULL");
  }

  void expect_ledger() {
    auto db = store::Connection::open(project_.database(), {.read_only = true});
    ASSERT_TRUE(db);
    EXPECT_EQ(*(*db)->query_integer(
                  "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'"),
              0);
    for (int job = 0; job < kJobs; ++job) {
      std::multiset<std::string> stored;
      const auto records = project_.heddle_json({"records", job_name(job)});
      for (const auto& record : records.as_array())
        stored.emplace(record.at("fields").at("text").as_string());
      EXPECT_EQ(stored.size(), ledger_[job].size());
      EXPECT_EQ(std::set<std::string>(stored.begin(), stored.end()), ledger_[job]);
    }
    std::map<std::string, int> notified;
    store::Statement payloads(**db, "SELECT payload FROM outbox WHERE kind = 'webhook'");
    auto rows = payloads.query();
    for (auto more = rows.next(); more && *more; more = rows.next()) {
      const auto message = boost::json::parse(std::string(rows.text(0)));
      for (const auto& item : message.at("items").as_array())
        ++notified[std::string(item.at("text").as_string())];
    }
    EXPECT_EQ(notified.size(), ledger_[0].size() + ledger_[1].size());
    for (const auto& [text, times] : notified) EXPECT_EQ(times, 1) << text << " is told of twice";
  }

  std::int64_t messages(const std::string& condition) {
    auto db = store::Connection::open(project_.database(), {.read_only = true});
    EXPECT_TRUE(db);
    return *(*db)->query_integer("SELECT count(*) FROM outbox WHERE kind = 'webhook' AND " +
                                 condition);
  }

  // Only the daemon sends, and it is not killed.
  void expect_each_message_received_once() {
    const std::lock_guard lock(mutex_);
    EXPECT_EQ(static_cast<std::int64_t>(received_.size()), messages("1"));
    for (const auto& [id, times] : received_) EXPECT_EQ(times, 1) << id << " came twice";
  }

  std::mutex mutex_;
  std::map<std::string, int> received_;  // messages by id; declared before site_, which fills it
  TestSite site_;
  ProjectFolder project_{kProject};
  std::map<int, std::set<std::string>> ledger_;  // expected items of each job
  std::mt19937 random_{std::random_device{}()};
  int killed_ = 0;
};

TEST_F(KilledWorkers, LoseNothingAndStoreNothingTwice) {
  const int kills = number_from("HEDDLE_CHAOS_KILLS", 15);
  RunningDaemon daemon(project_);
  std::vector<pid_t> everybody;
  for (int round = 0; killed_ < kills; ++round) {
    write_round(round, 150);
    RunningHeddle first(project_.path(), {"run", job_name(0), "--json"});
    RunningHeddle second(project_.path(), {"run", job_name(1), "--json"});
    for (int i = 0; i < 6 && killed_ < kills; ++i) {
      std::this_thread::sleep_for(
          std::chrono::milliseconds(std::uniform_int_distribution<int>(0, 60)(random_)));
      kill_random_worker(daemon);
    }
    for (RunningHeddle* run : {&first, &second}) {
      const ProgramResult result = run->wait();
      ASSERT_EQ(result.exit_code, 0) << result.out << result.err << daemon.log();
    }
  }
  EXPECT_EQ(unfinished_runs(), 0);
  EXPECT_TRUE(eventually([&] { return messages("state = 0") == 0; }));
  expect_each_message_received_once();
  const std::vector<pid_t> children = daemon.children();
  daemon.signal(SIGTERM);
  EXPECT_EQ(daemon.wait().exit_code, 0) << daemon.log();
  EXPECT_TRUE(exit_within(children, std::chrono::seconds(1)));
  expect_ledger();
}

TEST_F(KilledWorkers, LeaveRunsThatTheNextDaemonResumesWhenTheirsIsKilled) {
  const int kills = number_from("HEDDLE_CHAOS_DAEMON_KILLS", 4);
  std::int64_t left_over = 0;
  for (int round = 0; round < kills; ++round) {
    write_round(round, 60);
    {
      RunningDaemon daemon(project_);
      RunningHeddle first(project_.path(), {"run", job_name(0), "--json"});
      RunningHeddle second(project_.path(), {"run", job_name(1), "--json"});
      if (round % 2 == 0)
        EXPECT_TRUE(eventually([&] { return unfinished_runs() > 0; })) << daemon.log();
      else
        std::this_thread::sleep_for(
            std::chrono::milliseconds(std::uniform_int_distribution<int>(0, 250)(random_)));
      left_over += unfinished_runs();
      const std::vector<pid_t> children = daemon.children();
      EXPECT_GE(children.size(), 2U);
      daemon.signal(SIGKILL);
      EXPECT_EQ(daemon.wait().signal, SIGKILL);
      EXPECT_TRUE(exit_within(children, std::chrono::seconds(1)));
    }
    RunningDaemon next(project_);
    ASSERT_TRUE(eventually([&] { return unfinished_runs() == 0; })) << next.log();
    // A run that was not stored when the daemon was killed is started again.
    for (int job = 0; job < kJobs; ++job)
      EXPECT_EQ(project_.heddle({"run", job_name(job)}).exit_code, 0);
    next.signal(SIGTERM);
    EXPECT_EQ(next.wait().exit_code, 0) << next.log();
  }
  EXPECT_GT(left_over, 0) << "no daemon was killed while it had a run under way";
  expect_ledger();
}

}  // namespace
}  // namespace heddle::testing
