#include "lifecycle/act_offline.hpp"

#include <gmock/gmock.h>

#include "lifecycle/run_ledger.hpp"
#include "lifecycle/status_edits.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "tests/support/run_async.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::lifecycle {
namespace {

using heddle::testing::run_async;

class ActOffline : public ::testing::Test {
 protected:
  void SetUp() override {
    auto opened = store::SqliteStore::open(folder_.path() / "heddle.db");
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = std::move(*opened);
    statuses_ = std::make_unique<JobStatusStore>(*store_, clock_);
    ASSERT_TRUE(run_async(statuses_->create(kJob, "r1")));
    ASSERT_TRUE(run_async(statuses_->apply(kJob, {JobStep{JobAction::enable}})));
  }

  // As a crashed daemon leaves it.
  RunId leave_run_unfinished() {
    Job job;
    job.id = kJob;
    job.urls = {"http://a/"};
    RunLedger runs(*store_, clock_);
    auto begun = run_async(runs.begin(job, RunTrigger::time));
    EXPECT_TRUE(begun);
    JobStep begin{JobAction::begin};
    begin.run = begun->id;
    EXPECT_TRUE(run_async(statuses_->apply(kJob, {JobStep{JobAction::trigger}, begin})));
    return begun->id;
  }

  Result<JobStatus> act(JobAction action, bool has_post_stop_hooks = true) {
    return run_async(
        act_offline({*statuses_, *store_, *store_, clock_}, kJob, {action}, has_post_stop_hooks));
  }
  RunState state_of(const RunId& run) { return (*run_async(store_->find_run(run)))->state; }

  const JobId kJob{"shop"};
  heddle::testing::TemporaryFolder folder_;
  ManualClock clock_{*parse_iso8601("2026-11-15T12:00:00Z")};
  std::unique_ptr<store::SqliteStore> store_;
  std::unique_ptr<JobStatusStore> statuses_;
};

TEST_F(ActOffline, LeavesATriggerToTheNextDaemon) {
  EXPECT_EQ(act(JobAction::trigger)->state, JobState::starting);
  EXPECT_EQ(act(JobAction::pause)->state, JobState::paused);
}

TEST_F(ActOffline, PausesAndResumesAnUnfinishedRun) {
  const RunId run = leave_run_unfinished();
  auto paused = act(JobAction::pause);
  ASSERT_TRUE(paused) << paused.error().message;
  EXPECT_EQ(paused->run, run);
  EXPECT_EQ(state_of(run), RunState::paused);
  auto resumed = act(JobAction::resume);
  ASSERT_TRUE(resumed) << resumed.error().message;
  EXPECT_EQ(resumed->state, JobState::running);
  EXPECT_EQ(resumed->run, run);
  EXPECT_EQ(state_of(run), RunState::in_progress);
}

TEST_F(ActOffline, LeavesTheHooksOfARunsEndToTheNextDaemon) {
  const RunId working = leave_run_unfinished();
  ASSERT_TRUE(run_async(store_->record_stage(working, {RunStage::working, std::nullopt})));
  EXPECT_EQ(act(JobAction::cancel)->state, JobState::scheduled);
  EXPECT_EQ(state_of(working), RunState::paused) << "nothing of it is in progress";
  auto history = run_async(store_->program_history(working));
  EXPECT_EQ(history->stage_record->stage, RunStage::finishing);
  EXPECT_EQ(history->stage_record->outcome->state, RunState::cancelled);
  EXPECT_FALSE(history->stage_record->outcome->never_started);

  const RunId preparing = leave_run_unfinished();
  ASSERT_TRUE(run_async(store_->record_stage(preparing, {})));
  EXPECT_EQ(act(JobAction::stop)->state, JobState::stopped);
  history = run_async(store_->program_history(preparing));
  EXPECT_EQ(history->stage_record->outcome->state, RunState::stopped);
  EXPECT_TRUE(history->stage_record->outcome->never_started);
}

TEST_F(ActOffline, EndsARunWithoutPostStopHooksAtOnce) {
  const RunId run = leave_run_unfinished();
  ASSERT_TRUE(run_async(store_->record_stage(run, {RunStage::working, std::nullopt})));
  ProcessRecord process;
  process.run = run;
  process.pid = 12;
  process.is_ready = true;
  process.started_at = clock_.now();
  ASSERT_TRUE(run_async(store_->record_process(process)));
  EXPECT_EQ(act(JobAction::stop, false)->state, JobState::stopped);
  EXPECT_EQ(state_of(run), RunState::stopped);
  const auto history = run_async(store_->program_history(run));
  ASSERT_EQ(history->processes.size(), 1u);
  EXPECT_EQ(history->processes[0].state, ProcessState::interrupted);
  EXPECT_TRUE(history->processes[0].ended_at);
}

TEST_F(ActOffline, EndsAnUnfinishedRunThatIsCancelledStoppedOrArchived) {
  const RunId cancelled = leave_run_unfinished();
  EXPECT_EQ(act(JobAction::cancel)->state, JobState::scheduled);
  EXPECT_EQ(state_of(cancelled), RunState::cancelled);
  const RunId archived = leave_run_unfinished();
  ASSERT_TRUE(act(JobAction::pause));
  EXPECT_EQ(act(JobAction::archive)->state, JobState::archived);
  EXPECT_EQ(state_of(archived), RunState::stopped);
  EXPECT_EQ(act(JobAction::start)->state, JobState::created);
  ASSERT_TRUE(run_async(statuses_->apply(kJob, {JobStep{JobAction::enable}})));
  const RunId stopped = leave_run_unfinished();
  EXPECT_EQ(act(JobAction::stop)->state, JobState::stopped);
  EXPECT_EQ(state_of(stopped), RunState::stopped);
  EXPECT_EQ(statuses_->find(kJob)->run, std::nullopt);
}

TEST_F(ActOffline, WithdrawsAQueuedRun) {
  ASSERT_TRUE(run_async(statuses_->update(kJob, [this](JobChange& change) {
    record_queued_run(change, {RunTrigger::manual, clock_.now()}, clock_.now());
  })));
  auto cancelled = act(JobAction::cancel);
  ASSERT_TRUE(cancelled) << cancelled.error().message;
  EXPECT_EQ(cancelled->queued_run, std::nullopt);
  EXPECT_EQ(cancelled->state, JobState::scheduled);
  EXPECT_FALSE(act(JobAction::cancel)) << "nothing is left to cancel";
}

TEST_F(ActOffline, RefusesWhatTheTransitionTableForbids) {
  EXPECT_THAT(act(JobAction::resume).error().message, ::testing::HasSubstr("cannot resume it now"));
}

}  // namespace
}  // namespace heddle::lifecycle
