#include "hub/system_watch.hpp"

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

class SystemWatchTest : public ::testing::Test {
 protected:
  void SetUp() override { open(); }

  void open() {
    watch_.reset();
    book_.reset();
    store_.reset();
    auto opened = store::SqliteStore::open(folder_.path() / "heddle.db");
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = std::move(*opened);
    book_ = std::make_unique<AlertBook>(*store_, log_, AlertReceivers{});
    ASSERT_TRUE(run_async(book_->load()));
    WatchParts parts{*store_, clock_, log_, [this] { return machine_; },
                     [this](const JobId& job) { return !at_rest_.contains(job.text); }};
    watch_ = std::make_unique<SystemWatch>(std::move(parts), *book_, SymptomRules{});
  }

  // Looks every ten seconds for so long.
  // Looks for so long, while pages get done.
  void keep_moving(std::chrono::milliseconds time) {
    for (auto passed = 0ms; passed < time; passed += 10s) {
      ++machine_.runs[0].steps;
      look_for(0s);
    }
  }
  void look_for(std::chrono::milliseconds time) {
    for (auto passed = 0ms; passed <= time; passed += 10s) {
      const auto looked = run_async(watch_->look());
      ASSERT_TRUE(looked) << looked.error().message;
      clock_.advance(10s);
    }
  }

  std::vector<std::string> raised() {
    std::vector<std::string> keys;
    for (const auto& [key, alert] : book_->raised())
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
      death.error = {"http", "404", ""};
      death.at = clock_.now();
      death.keep_letter = false;
      ASSERT_TRUE(run_async(store_->bury(death)));
    }
  }

  void end(const std::string& run) {
    const auto ended = run_async(store_->end_run({run}, RunState::completed, {}, clock_.now()));
    ASSERT_TRUE(ended);
    watch_->note_run_end(*ended);
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
  std::set<std::string> at_rest_;  // jobs that are deleted, stopped or archived
  std::unique_ptr<store::SqliteStore> store_;
  std::unique_ptr<AlertBook> book_;
  std::unique_ptr<SystemWatch> watch_;
};

TEST_F(SystemWatchTest, RaisesAndEndsWhatItSeesOfWorkers) {
  machine_.workers = {{"worker 1", 20, true}, {"worker 2", 0, false}};
  look_for(0s);
  EXPECT_THAT(raised(), ElementsAre("worker_gave_up critical"));
  machine_.workers[0].gave_up = false;
  machine_.workers[0].restarts = 0;
  look_for(50s);
  EXPECT_THAT(raised(), ElementsAre("worker_gave_up critical"));
  look_for(10s);
  EXPECT_THAT(raised(), IsEmpty());
}

TEST_F(SystemWatchTest, RaisesADeepQueueWhenItHasLasted) {
  begin("r1", 60);
  keep_moving(5min);
  EXPECT_THAT(raised(), IsEmpty());
  keep_moving(10s);
  EXPECT_THAT(raised(), ElementsAre("queue_depth warning"));
  store_pages("r1", 30, 0);
  keep_moving(1min + 10s);
  EXPECT_THAT(raised(), IsEmpty());
}

TEST_F(SystemWatchTest, RaisesARunThatMakesNoProgress) {
  begin("r1", 3);
  look_for(5min);
  EXPECT_THAT(raised(), IsEmpty());
  look_for(10s);
  EXPECT_THAT(raised(), ElementsAre("queue_age warning"));
  look_for(10min);
  EXPECT_THAT(raised(), ElementsAre("queue_age warning", "run_stuck/shop warning"));
  ++machine_.runs[0].steps;
  look_for(1min);
  EXPECT_THAT(raised(), IsEmpty());
}

TEST_F(SystemWatchTest, DoesNotTakeAPausedRunForAStuckOne) {
  begin("r1", 3);
  ASSERT_TRUE(run_async(store_->mark_run({"r1"}, RunState::paused)));
  look_for(30min);
  EXPECT_THAT(raised(), IsEmpty());
}

TEST_F(SystemWatchTest, RaisesRunsThatFindNoPlace) {
  machine_.waiting = {3, clock_.now() - 6min};
  look_for(0s);
  EXPECT_THAT(raised(), ElementsAre("queue_age warning"));
}

TEST_F(SystemWatchTest, RaisesARunFarLongerThanThoseBeforeItUntilOneIsNot) {
  make_history(5);
  begin("r1", 10);
  keep_moving(3min);
  EXPECT_THAT(raised(), IsEmpty());
  keep_moving(10s);
  EXPECT_THAT(raised(), ElementsAre("run_slow/shop warning"));
  store_pages("r1", 10, 0);
  end("r1");
  look_for(5min);
  EXPECT_THAT(raised(), ElementsAre("run_slow/shop warning"));
  open();
  make_history(1);
  look_for(0s);
  EXPECT_THAT(raised(), IsEmpty());
}

TEST_F(SystemWatchTest, RaisesUnusuallyManyFailedPagesUntilARunHasFewer) {
  make_history(5);
  begin("r1", 10);
  store_pages("r1", 6, 4);
  end("r1");
  look_for(0s);
  EXPECT_THAT(raised(), ElementsAre("run_errors/shop warning"));
  open();
  look_for(5min);
  EXPECT_THAT(raised(), ElementsAre("run_errors/shop warning"));
  begin("r2", 10);
  store_pages("r2", 10, 0);
  end("r2");
  look_for(0s);
  EXPECT_THAT(raised(), IsEmpty());
}

TEST_F(SystemWatchTest, EndsWhatIsComparedWithAJobThatRunsNoMore) {
  make_history(5);
  begin("r1", 10);
  keep_moving(3min + 10s);
  store_pages("r1", 6, 4);
  end("r1");
  look_for(0s);
  EXPECT_THAT(raised(), ElementsAre("run_errors/shop warning", "run_slow/shop warning"));
  at_rest_ = {"shop"};
  look_for(0s);
  EXPECT_THAT(raised(), IsEmpty());
}

TEST_F(SystemWatchTest, DoesNotRaiseWhatItFindsOutAfterTheJobHasStopped) {
  make_history(5);
  begin("r1", 10);
  store_pages("r1", 6, 4);
  end("r1");
  at_rest_ = {"shop"};
  look_for(0s);
  EXPECT_THAT(raised(), IsEmpty());
  at_rest_ = {};
  look_for(0s);
  EXPECT_THAT(raised(), IsEmpty());
}

TEST_F(SystemWatchTest, KeepsAnAlertAboutStorageUntilItHearsOfIt) {
  watch_->note_storage(AlertLevel::warning, "80 % of 10 GB are used");
  look_for(0s);
  EXPECT_THAT(raised(), ElementsAre("storage warning"));
  watch_->note_storage(AlertLevel::critical, "full");
  look_for(0s);
  EXPECT_THAT(raised(), ElementsAre("storage critical"));
  open();
  look_for(5min);
  EXPECT_THAT(raised(), ElementsAre("storage critical"));
  watch_->note_storage(std::nullopt, "");
  look_for(1min);
  EXPECT_THAT(raised(), IsEmpty());
}

TEST_F(SystemWatchTest, KnowsTheLoadOfTheLastLook) {
  begin("r1", 7);
  look_for(0s);
  ASSERT_EQ(watch_->load().runs.size(), 1u);
  EXPECT_EQ(watch_->load().runs.front().open_tasks, 7);
}

}  // namespace
}  // namespace heddle::hub
