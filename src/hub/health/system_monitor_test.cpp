#include "hub/health/system_monitor.hpp"

#include <gmock/gmock.h>

#include "store/sqlite/sqlite_store.hpp"
#include "tests/support/run_async.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::hub {
namespace {

using heddle::testing::run_async;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using namespace std::chrono_literals;

class SystemMonitorTest : public ::testing::Test {
 protected:
  void SetUp() override { open(); }

  void open() {
    monitor_.reset();
    alerts_.reset();
    store_.reset();
    auto opened = store::SqliteStore::open(folder_.path() / "heddle.db");
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = std::move(*opened);
    alerts_ = std::make_unique<AlertManager>(*store_, log_, AlertReceivers{});
    ASSERT_TRUE(run_async(alerts_->load()));
    SystemMonitorParts parts{*store_, clock_, log_, [this] { return machine_; },
                             [this](const JobId& job) { return !not_running_.contains(job.text); }};
    monitor_ = std::make_unique<SystemMonitor>(std::move(parts), *alerts_, SymptomRules{});
  }

  // Checks every ten seconds while pages complete.
  void make_progress_for(std::chrono::milliseconds time) {
    for (auto passed = 0ms; passed < time; passed += 10s) {
      ++machine_.runs[0].steps;
      check_for(0s);
    }
  }
  void check_for(std::chrono::milliseconds time) {
    for (auto passed = 0ms; passed <= time; passed += 10s) {
      const auto checked = run_async(monitor_->check());
      ASSERT_TRUE(checked) << checked.error().message;
      clock_.advance(10s);
    }
  }

  std::vector<std::string> raised() {
    std::vector<std::string> keys;
    for (const auto& [key, alert] : alerts_->raised())
      keys.push_back(key + " " + std::string(to_text(alert.level)));
    return keys;
  }

  void begin(const std::string& run, int pages) {
    heddle::Run begun;
    begun.id = {run};
    begun.job = {"shop"};
    begun.started_at = clock_.now();
    std::vector<std::string> urls;
    for (int page = 0; page < pages; ++page) urls.push_back("http://a/" + std::to_string(page));
    ASSERT_TRUE(run_async(store_->begin_run(begun, std::move(urls))));
    machine_.runs = {{begun.id, begun.job, 1}};
  }

  void store_pages(const std::string& run, std::size_t done, std::size_t dead) {
    const auto batch = run_async(store_->lease_tasks({run}, done + dead, clock_.now()));
    ASSERT_TRUE(batch);
    for (std::size_t i = 0; i < batch->leases.size(); ++i) {
      if (i < done) {
        PageResult page;
        page.lease = batch->leases[i];
        page.job = {"shop"};
        page.final_url = page.lease.task.url;
        ASSERT_TRUE(run_async(store_->commit(std::move(page))));
        continue;
      }
      TaskDeath death;
      death.lease = batch->leases[i];
      death.job = {"shop"};
      death.error = {ErrorKind::http, "404", ""};
      death.at = clock_.now();
      death.keep_dead_letter = false;
      ASSERT_TRUE(run_async(store_->dead_letter(death)));
    }
  }

  void end(const std::string& run) {
    const auto ended = run_async(store_->end_run({run}, RunState::completed, {}, clock_.now()));
    ASSERT_TRUE(ended);
    monitor_->note_run_end(*ended);
    machine_.runs.clear();
  }

  // Runs of a minute with ten pages.
  void make_history(int runs) {
    for (int i = 0; i < runs; ++i) {
      const std::string run = "old" + std::to_string(next_run_++);
      begin(run, 10);
      store_pages(run, 10, 0);
      clock_.advance(1min);
      end(run);
    }
  }

  heddle::testing::TemporaryFolder folder_;
  ManualClock clock_{*parse_iso8601("2026-11-15T12:00:00Z")};
  NoLog log_;
  MachineFacts machine_;
  int next_run_ = 0;
  std::set<std::string> not_running_;  // jobs that are deleted, stopped or archived
  std::unique_ptr<store::SqliteStore> store_;
  std::unique_ptr<AlertManager> alerts_;
  std::unique_ptr<SystemMonitor> monitor_;
};

TEST_F(SystemMonitorTest, RaisesAndClearsWorkerAlerts) {
  machine_.workers = {{"worker 1", 20, true}, {"worker 2", 0, false}};
  check_for(0s);
  EXPECT_THAT(raised(), ElementsAre("worker_gave_up critical"));
  machine_.workers[0].gave_up = false;
  machine_.workers[0].restarts = 0;
  check_for(50s);
  EXPECT_THAT(raised(), ElementsAre("worker_gave_up critical"));
  check_for(10s);
  EXPECT_THAT(raised(), IsEmpty());
}

TEST_F(SystemMonitorTest, RaisesQueueDepthAfterItsDuration) {
  begin("r1", 60);
  make_progress_for(5min);
  EXPECT_THAT(raised(), IsEmpty());
  make_progress_for(10s);
  EXPECT_THAT(raised(), ElementsAre("queue_depth warning"));
  store_pages("r1", 30, 0);
  make_progress_for(1min + 10s);
  EXPECT_THAT(raised(), IsEmpty());
}

TEST_F(SystemMonitorTest, RaisesARunThatMakesNoProgress) {
  begin("r1", 3);
  check_for(5min);
  EXPECT_THAT(raised(), IsEmpty());
  check_for(10s);
  EXPECT_THAT(raised(), ElementsAre("queue_age warning"));
  check_for(10min);
  EXPECT_THAT(raised(), ElementsAre("queue_age warning", "run_stuck/shop warning"));
  ++machine_.runs[0].steps;
  check_for(1min);
  EXPECT_THAT(raised(), IsEmpty());
}

TEST_F(SystemMonitorTest, IgnoresAPausedRun) {
  begin("r1", 3);
  ASSERT_TRUE(run_async(store_->mark_run({"r1"}, RunState::paused)));
  check_for(30min);
  EXPECT_THAT(raised(), IsEmpty());
}

TEST_F(SystemMonitorTest, RaisesQueuedRunsThatFindNoSlot) {
  machine_.queued = {3, clock_.now() - 6min};
  check_for(0s);
  EXPECT_THAT(raised(), ElementsAre("queue_age warning"));
}

TEST_F(SystemMonitorTest, RaisesASlowRunUntilANormalOne) {
  make_history(5);
  begin("r1", 10);
  make_progress_for(3min);
  EXPECT_THAT(raised(), IsEmpty());
  make_progress_for(10s);
  EXPECT_THAT(raised(), ElementsAre("run_slow/shop warning"));
  store_pages("r1", 10, 0);
  end("r1");
  check_for(5min);
  EXPECT_THAT(raised(), ElementsAre("run_slow/shop warning"));
  open();
  make_history(1);
  check_for(0s);
  EXPECT_THAT(raised(), IsEmpty());
}

TEST_F(SystemMonitorTest, RaisesManyFailedPagesUntilARunHasFewer) {
  make_history(5);
  begin("r1", 10);
  store_pages("r1", 6, 4);
  end("r1");
  check_for(0s);
  EXPECT_THAT(raised(), ElementsAre("run_errors/shop warning"));
  open();
  check_for(5min);
  EXPECT_THAT(raised(), ElementsAre("run_errors/shop warning"));
  begin("r2", 10);
  store_pages("r2", 10, 0);
  end("r2");
  check_for(0s);
  EXPECT_THAT(raised(), IsEmpty());
}

TEST_F(SystemMonitorTest, ClearsComparisonAlertsOfAJobThatNoLongerRuns) {
  make_history(5);
  begin("r1", 10);
  make_progress_for(3min + 10s);
  store_pages("r1", 6, 4);
  end("r1");
  check_for(0s);
  EXPECT_THAT(raised(), ElementsAre("run_errors/shop warning", "run_slow/shop warning"));
  not_running_ = {"shop"};
  check_for(0s);
  EXPECT_THAT(raised(), IsEmpty());
}

TEST_F(SystemMonitorTest, RaisesNothingForAStoppedJob) {
  make_history(5);
  begin("r1", 10);
  store_pages("r1", 6, 4);
  end("r1");
  not_running_ = {"shop"};
  check_for(0s);
  EXPECT_THAT(raised(), IsEmpty());
  not_running_ = {};
  check_for(0s);
  EXPECT_THAT(raised(), IsEmpty());
}

TEST_F(SystemMonitorTest, KeepsAStorageAlertUntilTheNextReport) {
  monitor_->note_storage(AlertLevel::warning, "80 % of 10 GB are used");
  check_for(0s);
  EXPECT_THAT(raised(), ElementsAre("storage warning"));
  monitor_->note_storage(AlertLevel::critical, "full");
  check_for(0s);
  EXPECT_THAT(raised(), ElementsAre("storage critical"));
  open();
  check_for(5min);
  EXPECT_THAT(raised(), ElementsAre("storage critical"));
  monitor_->note_storage(std::nullopt, "");
  check_for(0s);
  EXPECT_THAT(raised(), IsEmpty()) << "it does not outlast the report that there is space";
}

TEST_F(SystemMonitorTest, KeepsTheLoadOfTheLastCheck) {
  begin("r1", 7);
  check_for(0s);
  ASSERT_EQ(monitor_->load().runs.size(), 1u);
  EXPECT_EQ(monitor_->load().runs.front().open_tasks, 7);
}

TEST_F(SystemMonitorTest, RaisesNothingBecauseTheClockWasSet) {
  begin("r1", 3);
  check_for(0s);
  clock_.jump(24h * 4);
  check_for(0s);
  clock_.jump(-24h * 8);
  check_for(0s);
  EXPECT_THAT(raised(), IsEmpty());
}

}  // namespace
}  // namespace heddle::hub
