#include "lifecycle/job_status_store.hpp"

#include <gtest/gtest.h>

#include "store/sqlite/core/connection.hpp"
#include "store/sqlite/core/statement.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "tests/support/run_async.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::lifecycle {
namespace {

using heddle::testing::run_async;

const WallTime kNow = *parse_iso8601("2026-11-15T12:00:00Z");
const WallTime kLater = *parse_iso8601("2026-11-15T13:00:00Z");

JobStatus in_state(JobState state) {
  JobStatus status;
  status.job = JobId{"shop"};
  status.state = state;
  return status;
}

TEST(AfterStep, KeepsTheNextRunOnlyOfAScheduledJob) {
  auto scheduled = after_step(in_state(JobState::completed),
                              {.action = JobAction::reschedule, .next_run_at = kLater}, kNow);
  ASSERT_TRUE(scheduled);
  EXPECT_EQ(scheduled->next_run_at, kLater);
  auto paused = after_step(*scheduled, {.action = JobAction::pause, .next_run_at = kLater}, kNow);
  ASSERT_TRUE(paused);
  EXPECT_EQ(paused->next_run_at, std::nullopt);
  EXPECT_EQ(paused->pause_reason, PauseReason::user);
}

TEST(AfterStep, ForgetsTheRunThatHasEnded) {
  JobStatus running = in_state(JobState::running);
  running.run = RunId{"r1"};
  EXPECT_EQ(after_step(running, {.action = JobAction::complete}, kNow)->run, std::nullopt);
  EXPECT_EQ(after_step(running, {.action = JobAction::pause}, kNow)->run, RunId{"r1"});
  EXPECT_FALSE(after_step(running, {.action = JobAction::trigger}, kNow));
}

class JobStatusStoreTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto opened = store::SqliteStore::open(folder_.path() / "heddle.db");
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = std::move(*opened);
    statuses_ = std::make_unique<JobStatusStore>(*store_, clock_);
    ASSERT_TRUE(run_async(statuses_->create(job_, "1")));
  }

  std::string by_of_last_event() {
    auto db = store::Connection::open(folder_.path() / "heddle.db", {.read_only = true});
    if (!db) return db.error().message;
    store::Statement last(
        **db, "SELECT coalesce(data ->> 'by', 'none') FROM events ORDER BY id DESC LIMIT 1");
    auto rows = last.query();
    const auto found = rows.next();
    return found && *found ? std::string(rows.text(0)) : "no event";
  }

  const JobId job_{"shop"};
  heddle::testing::TemporaryFolder folder_;
  ManualClock clock_{kNow};
  std::unique_ptr<store::SqliteStore> store_;
  std::unique_ptr<JobStatusStore> statuses_;
};

TEST_F(JobStatusStoreTest, RecordsWhoAskedForAStepThatUsersCanAskFor) {
  ASSERT_TRUE(run_async(statuses_->apply(job_, {{.action = JobAction::enable}})));
  EXPECT_EQ(by_of_last_event(), "none") << "no user asks for it";
  ASSERT_TRUE(run_async(statuses_->apply(job_, {{.action = JobAction::pause}})));
  EXPECT_EQ(by_of_last_event(), "daemon");
  ASSERT_TRUE(
      run_async(statuses_->apply(job_, {{.action = JobAction::resume}}, attributed("cli:anna"))));
  EXPECT_EQ(by_of_last_event(), "cli:anna");
}

TEST_F(JobStatusStoreTest, ChangesNothingWhenOneOfTheStepsIsForbidden) {
  const auto refused = run_async(
      statuses_->apply(job_, {{.action = JobAction::enable}, {.action = JobAction::resume}}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  EXPECT_EQ(statuses_->find(job_)->state, JobState::created);
}

}  // namespace
}  // namespace heddle::lifecycle
