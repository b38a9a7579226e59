#include "hub/jobs/scheduler_tests/job_scheduler_for_test.hpp"
#include "lifecycle/run_ledger.hpp"
#include "store/sqlite/core/connection.hpp"

namespace heddle::hub {
namespace {

using lifecycle::JobAction;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

class JobSchedulerTest : public JobSchedulerFixture {};

TEST_F(JobSchedulerTest, RunsANewJobImmediatelyAndThenAtItsInterval) {
  configure({job("shop", "10m")});
  ASSERT_TRUE(wait_until_executing("shop"));
  EXPECT_EQ(state("shop"), JobState::running);
  executor_->finish("shop", RunState::completed);
  ASSERT_TRUE(reaches("shop", JobState::scheduled));
  const WallTime first = *status("shop").next_run_at;
  EXPECT_LE(first - clock_.now(), 10min);
  wait_for_next_run("shop");
  ASSERT_TRUE(wait_until_executing("shop"));
  executor_->finish("shop", RunState::completed);
  ASSERT_TRUE(reaches("shop", JobState::scheduled));
  EXPECT_EQ(*status("shop").next_run_at - first, 10min);
  EXPECT_THAT(
      events("shop"),
      ElementsAre("job.created", "job.scheduled", "job.starting", "run.started", "job.running",
                  "run.ended", "job.completed", "job.scheduled", "job.starting", "run.started",
                  "job.running", "run.ended", "job.completed", "job.scheduled"));
}

TEST_F(JobSchedulerTest, WaitsForATriggerOfAManualJob) {
  configure({job("shop")});
  EXPECT_EQ(state("shop"), JobState::scheduled);
  EXPECT_EQ(status("shop").next_run_at, std::nullopt);
  const auto triggered = act("shop", JobAction::trigger);
  ASSERT_TRUE(triggered) << triggered.error().message;
  EXPECT_EQ(triggered->state, JobState::starting);
  ASSERT_TRUE(wait_until_executing("shop"));
  EXPECT_EQ(begun_runs().back().trigger, RunTrigger::manual);
  executor_->finish("shop", RunState::limited);
  ASSERT_TRUE(reaches("shop", JobState::scheduled));
  EXPECT_EQ(status("shop").check, CheckState::limited);
}

TEST_F(JobSchedulerTest, RefusesWhatTheTransitionTableForbids) {
  configure({job("shop")});
  const auto refused = act("shop", JobAction::resume);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  EXPECT_THAT(refused.error().message, HasSubstr("is scheduled: cannot resume it now"));
  EXPECT_EQ(act("unknown", JobAction::pause).error().code, ErrorCode::not_found);
  ASSERT_TRUE(act("shop", JobAction::pause));
  EXPECT_THAT(act("shop", JobAction::trigger).error().message, HasSubstr("paused (user)"));
}

TEST_F(JobSchedulerTest, DoesNotRunADisabledJobUntilItIsTriggered) {
  Job off = job("shop", "10m");
  off.enabled = false;
  configure({off});
  EXPECT_EQ(state("shop"), JobState::created);
  ASSERT_TRUE(act("shop", JobAction::trigger));
  ASSERT_TRUE(wait_until_executing("shop"));
  executor_->finish("shop", RunState::completed);
  ASSERT_TRUE(reaches("shop", JobState::completed));
  configure({job("shop", "10m")});
  EXPECT_EQ(state("shop"), JobState::scheduled);
}

TEST_F(JobSchedulerTest, PausesARunAndResumesTheSameOne) {
  configure({job("shop")});
  ASSERT_TRUE(act("shop", JobAction::trigger));
  ASSERT_TRUE(wait_until_executing("shop"));
  const auto paused = act("shop", JobAction::pause);
  ASSERT_TRUE(paused) << paused.error().message;
  EXPECT_EQ(paused->pause_reason, PauseReason::user);
  ASSERT_TRUE(run_until([&] { return !executor_->is_executing("shop"); }));
  const RunId run = *status("shop").run;
  const auto resumed = act("shop", JobAction::resume);
  ASSERT_TRUE(resumed) << resumed.error().message;
  ASSERT_TRUE(wait_until_executing("shop"));
  EXPECT_EQ(status("shop").run, run);
  EXPECT_EQ(begun_runs().size(), 1u);
  executor_->finish("shop", RunState::completed);
  ASSERT_TRUE(reaches("shop", JobState::scheduled));
}

TEST_F(JobSchedulerTest, DoesNotReplaceAResumedRunForATickOfThePause) {
  Job replacing = job("shop", "10m");
  replacing.overlap = OverlapPolicy::replace;
  configure({replacing});
  ASSERT_TRUE(wait_until_executing("shop"));
  const RunId run = *status("shop").run;
  ASSERT_TRUE(act("shop", JobAction::pause));
  ASSERT_TRUE(run_until([&] { return scheduler_->runs_under_way() == 0; }));
  advance(1h);
  ASSERT_TRUE(act("shop", JobAction::resume));
  ASSERT_TRUE(wait_until_executing("shop"));
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(drive(store_->put_job_name({{"z"}, "z", "web", ""})));
  EXPECT_EQ(status("shop").run, run);
  EXPECT_EQ(state("shop"), JobState::running);
}

TEST_F(JobSchedulerTest, KeepsAPausedRunAcrossARestart) {
  configure({job("shop", "10m")});
  ASSERT_TRUE(wait_until_executing("shop"));
  ASSERT_TRUE(act("shop", JobAction::pause));
  restart({job("shop", "10m")});
  EXPECT_EQ(state("shop"), JobState::paused);
  advance(24h);
  EXPECT_FALSE(executor_->is_executing("shop"));
  ASSERT_TRUE(act("shop", JobAction::resume));
  ASSERT_TRUE(wait_until_executing("shop"));
  EXPECT_TRUE(begun_runs().empty());  // the old one continues
}

TEST_F(JobSchedulerTest, ResumesARunThatARestartInterrupted) {
  configure({job("shop", "10m")});
  ASSERT_TRUE(wait_until_executing("shop"));
  const RunId run = *status("shop").run;
  restart({job("shop", "10m")});
  ASSERT_TRUE(wait_until_executing("shop"));
  EXPECT_EQ(status("shop").run, run);
  EXPECT_TRUE(begun_runs().empty());
}

TEST_F(JobSchedulerTest, ReportsTheEndOfEachRunOnce) {
  configure({job("shop"), job("news"), job("left"), job("hung")});
  for (const char* id : {"shop", "news", "left", "hung"}) {
    ASSERT_TRUE(act(id, JobAction::trigger));
    ASSERT_TRUE(wait_until_executing(id));
  }
  executor_->finish("shop", RunState::completed);
  ASSERT_TRUE(reaches("shop", JobState::scheduled));
  for (const char* id : {"news", "left"}) ASSERT_TRUE(act(id, JobAction::pause));
  ASSERT_TRUE(run_until([&] { return scheduler_->runs_under_way() == 1; }));
  EXPECT_THAT(ended_, ElementsAre("completed"));
  ASSERT_TRUE(act("news", JobAction::cancel));
  EXPECT_THAT(ended_, ElementsAre("completed", "cancelled"));
  ASSERT_TRUE(act("left", JobAction::stop));
  EXPECT_THAT(ended_, ElementsAre("completed", "cancelled", "stopped"));

  executor_->ignores_halt = true;
  ASSERT_TRUE(act("hung", JobAction::stop, true));
  ASSERT_TRUE(reaches("hung", JobState::stopped));
  executor_->finish("hung", RunState::completed);
  ASSERT_TRUE(run_until([&] { return scheduler_->runs_under_way() == 0; }));
  EXPECT_THAT(ended_, ElementsAre("completed", "cancelled", "stopped", "stopped"));
}

TEST_F(JobSchedulerTest, CancelsARunAndKeepsTheSchedule) {
  configure({job("shop", "10m")});
  ASSERT_TRUE(wait_until_executing("shop"));
  const auto cancelled = act("shop", JobAction::cancel);
  ASSERT_TRUE(cancelled) << cancelled.error().message;
  EXPECT_EQ(cancelled->state, JobState::scheduled);
  EXPECT_TRUE(cancelled->next_run_at);
  ASSERT_TRUE(run_until([&] { return !status("shop").run; }));
  EXPECT_EQ(state("shop"), JobState::scheduled);
  const auto run = drive(store_->find_run(begun_runs().front().id));
  EXPECT_EQ((*run)->state, RunState::cancelled);
}

TEST_F(JobSchedulerTest, CancelsAPausedRun) {
  configure({job("shop")});
  ASSERT_TRUE(act("shop", JobAction::trigger));
  ASSERT_TRUE(wait_until_executing("shop"));
  ASSERT_TRUE(act("shop", JobAction::pause));
  ASSERT_TRUE(run_until([&] { return scheduler_->runs_under_way() == 0; }));
  const auto cancelled = act("shop", JobAction::cancel);
  ASSERT_TRUE(cancelled) << cancelled.error().message;
  EXPECT_EQ(cancelled->run, std::nullopt);
  const auto run = drive(store_->find_run(begun_runs().front().id));
  EXPECT_EQ((*run)->state, RunState::cancelled);
}

TEST_F(JobSchedulerTest, KeepsAJobStoppedUntilItIsStarted) {
  configure({job("shop", "10m")});
  ASSERT_TRUE(wait_until_executing("shop"));
  const auto stopping = act("shop", JobAction::stop);
  ASSERT_TRUE(stopping) << stopping.error().message;
  EXPECT_EQ(stopping->state, JobState::stopping);
  ASSERT_TRUE(reaches("shop", JobState::stopped));
  const auto run = drive(store_->find_run(begun_runs().front().id));
  EXPECT_EQ((*run)->state, RunState::stopped);
  restart({job("shop", "10m")});
  advance(24h);
  EXPECT_EQ(state("shop"), JobState::stopped);
  EXPECT_FALSE(act("shop", JobAction::trigger));
  const auto started = act("shop", JobAction::start);
  ASSERT_TRUE(started) << started.error().message;
  ASSERT_TRUE(wait_until_executing("shop"));
}

TEST_F(JobSchedulerTest, EndsARunThatDoesNotStopInTime) {
  configure({job("shop")});
  ASSERT_TRUE(act("shop", JobAction::trigger));
  ASSERT_TRUE(wait_until_executing("shop"));
  executor_->ignores_halt = true;
  ASSERT_TRUE(act("shop", JobAction::stop, true));
  ASSERT_TRUE(reaches("shop", JobState::stopped));
  const auto run = drive(store_->find_run(begun_runs().front().id));
  EXPECT_EQ((*run)->state, RunState::stopped);
  executor_->finish("shop", RunState::completed);
  ASSERT_TRUE(run_until([&] { return scheduler_->runs_under_way() == 0; }));
  EXPECT_EQ(state("shop"), JobState::stopped);
}

TEST_F(JobSchedulerTest, ArchivesAJobWithItsPausedRun) {
  configure({job("shop", "10m")});
  ASSERT_TRUE(wait_until_executing("shop"));
  ASSERT_TRUE(act("shop", JobAction::pause));
  ASSERT_TRUE(run_until([&] { return scheduler_->runs_under_way() == 0; }));
  ASSERT_TRUE(act("shop", JobAction::archive));
  EXPECT_EQ(state("shop"), JobState::archived);
  const auto unfinished = drive(store_->unfinished_runs());
  EXPECT_TRUE(unfinished->empty());
}

TEST_F(JobSchedulerTest, RetriesAFailedRunAsAWhole) {
  Job twice = job("shop", "60m");
  twice.retry.runs = 2;
  twice.retry.base = 1s;
  configure({twice});
  for (const int attempt : {1, 2, 3}) {
    ASSERT_TRUE(wait_until_executing("shop"));
    EXPECT_EQ(begun_runs().back().attempt, attempt);
    executor_->finish("shop", RunState::failed);
    ASSERT_TRUE(reaches("shop", JobState::scheduled));
    if (attempt == 1) restart({twice});  // the retry survives
    if (attempt < 3) wait_for_next_run("shop");
  }
  EXPECT_EQ(begun_runs()[0].trigger, RunTrigger::retry);
  wait_for_next_run("shop");
  ASSERT_TRUE(wait_until_executing("shop"));
  EXPECT_EQ(begun_runs().back().trigger, RunTrigger::time);
  EXPECT_EQ(begun_runs().back().attempt, 1);
}

TEST_F(JobSchedulerTest, AlertsOnceWhenAJobFailsAndOnceWhenItRecovers) {
  Job notified = job("shop");
  notified.webhook.enabled = true;
  notified.webhook.url = "http://127.0.0.1:9/";
  notified.notification.enabled = false;
  configure({notified});
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(act("shop", JobAction::trigger));
    ASSERT_TRUE(wait_until_executing("shop"));
    executor_->finish("shop", RunState::failed);
    ASSERT_TRUE(reaches("shop", JobState::scheduled));
    EXPECT_EQ(status("shop").check, CheckState::failing);
    ASSERT_TRUE(run_until([&] { return scheduler_->runs_under_way() == 0; }));
  }
  ASSERT_TRUE(act("shop", JobAction::trigger));
  ASSERT_TRUE(wait_until_executing("shop"));
  executor_->finish("shop", RunState::completed);
  ASSERT_TRUE(reaches("shop", JobState::scheduled));
  std::vector<std::string> alerts;
  for (const std::string& kind : events("shop"))
    if (kind.starts_with("check.")) alerts.push_back(kind);
  EXPECT_THAT(alerts, ElementsAre("check.failing", "check.ok"));
  const auto messages = drive(store_->due_deliveries(clock_.now(), 100));
  ASSERT_TRUE(messages);
  ASSERT_EQ(messages->size(), 2u);
  EXPECT_THAT((*messages)[0].payload, HasSubstr(R"("event":"check.failing")"));
  EXPECT_THAT((*messages)[0].payload, HasSubstr("shop: failing, 2 runs in a row"));
  EXPECT_THAT((*messages)[1].payload, HasSubstr("shop: ok again"));
}

TEST_F(JobSchedulerTest, PausesAQuarantinedJobUntilItIsResumedOrChanged) {
  configure({job("shop", "10m")});
  ASSERT_TRUE(wait_until_executing("shop"));
  executor_->finish("shop", RunState::failed, true);
  ASSERT_TRUE(reaches("shop", JobState::paused));
  EXPECT_EQ(status("shop").pause_reason, PauseReason::quarantined);
  restart({job("shop", "10m")});
  EXPECT_EQ(state("shop"), JobState::paused);
  Job changed = job("shop", "10m");
  changed.revision = "r2";
  configure({changed});
  EXPECT_EQ(state("shop"), JobState::scheduled);
  EXPECT_THAT(cleared_, ElementsAre("shop"));
}

TEST_F(JobSchedulerTest, KeepsAUserPauseOfAQuarantinedJob) {
  configure({job("shop", "10m")});
  ASSERT_TRUE(wait_until_executing("shop"));
  executor_->finish("shop", RunState::failed, true);
  ASSERT_TRUE(reaches("shop", JobState::paused));
  const auto paused = act("shop", JobAction::pause);
  ASSERT_TRUE(paused) << paused.error().message;
  EXPECT_EQ(status("shop").pause_reason, PauseReason::user);
  EXPECT_FALSE(act("shop", JobAction::pause)) << "it is a user pause already";
  Job changed = job("shop", "10m");
  changed.revision = "r2";
  configure({changed});
  EXPECT_EQ(state("shop"), JobState::paused) << "a changed script does not release it";
  ASSERT_TRUE(act("shop", JobAction::resume));
  EXPECT_THAT(cleared_, ElementsAre("shop"));
}

TEST_F(JobSchedulerTest, PausesAJobWithoutFilesAndResumesItWhenTheyReturn) {
  configure({job("shop", "10m"), job("other")});
  ASSERT_TRUE(wait_until_executing("shop"));
  configure({job("other")});
  EXPECT_EQ(state("shop"), JobState::paused);
  EXPECT_EQ(status("shop").pause_reason, PauseReason::missing);
  EXPECT_FALSE(act("shop", JobAction::resume));
  restart({job("other")});
  EXPECT_EQ(state("shop"), JobState::paused);
  configure({job("other"), job("shop", "10m")});
  ASSERT_TRUE(wait_until_executing("shop"));
  EXPECT_TRUE(begun_runs().empty());  // resumes its old run
}

TEST_F(JobSchedulerTest, RecordsWhoAskedForAnAction) {
  configure({job("shop")});
  ASSERT_TRUE(act("shop", JobAction::trigger));
  ASSERT_TRUE(wait_until_executing("shop"));
  ASSERT_TRUE(act("shop", JobAction::stop));
  ASSERT_TRUE(reaches("shop", JobState::stopped));
  EXPECT_THAT(event_data("job.starting"), HasSubstr("\"by\":\"cli:anna\""));
  EXPECT_THAT(event_data("job.stopping"), HasSubstr("\"by\":\"cli:anna\""));
  EXPECT_THAT(event_data("job.stopped"), Not(HasSubstr("\"by\"")));
}

TEST_F(JobSchedulerTest, RecordsTheDaemonForItsOwnActions) {
  configure({job("shop", "10m")});
  ASSERT_TRUE(wait_until_executing("shop"));
  EXPECT_THAT(event_data("job.starting"), HasSubstr("\"by\":\"daemon\""));
}

TEST_F(JobSchedulerTest, FailsARunThatCannotBeStored) {
  configure({job("shop", "10m")});
  ASSERT_TRUE(wait_until_executing("shop"));
  executor_->finish("shop", RunState::completed);
  ASSERT_TRUE(reaches("shop", JobState::scheduled));
  auto database = store::Connection::open(file(), {});
  ASSERT_TRUE(database);
  ASSERT_TRUE(
      (*database)->execute("CREATE TRIGGER refuse_runs BEFORE INSERT ON runs"
                           " BEGIN SELECT raise(ABORT, 'no more runs'); END"));
  wait_for_next_run("shop");
  const WallTime due = *status("shop").next_run_at;
  ASSERT_TRUE(
      run_until([&] { return status("shop").next_run_at && *status("shop").next_run_at > due; }));
  EXPECT_THAT(events("shop"), Contains("job.failed"));
}

TEST_F(JobSchedulerTest, ResumesARunStoredJustBeforeTheDaemonDied) {
  configure({job("shop")});
  std::vector<lifecycle::JobStep> steps(1, {JobAction::trigger});
  lifecycle::JobStatusStore offline(*store_, clock_);
  ASSERT_TRUE(drive(offline.load()));
  ASSERT_TRUE(drive(offline.apply(JobId{"shop"}, steps)));
  lifecycle::RunLedger runs(*store_, clock_);
  const auto begun = drive(runs.begin(job("shop"), RunTrigger::manual));
  ASSERT_TRUE(begun);
  restart({job("shop")});
  ASSERT_TRUE(wait_until_executing("shop"));
  EXPECT_EQ(status("shop").run, begun->id);
  EXPECT_TRUE(begun_runs().empty());
}

TEST_F(JobSchedulerTest, StartsARunTriggeredJustBeforeTheDaemonDied) {
  configure({job("shop")});
  std::vector<lifecycle::JobStep> steps(1, {JobAction::trigger});
  lifecycle::JobStatusStore offline(*store_, clock_);
  ASSERT_TRUE(drive(offline.load()));
  ASSERT_TRUE(drive(offline.apply(JobId{"shop"}, steps)));
  restart({job("shop")});
  ASSERT_TRUE(wait_until_executing("shop"));
  EXPECT_EQ(begun_runs().size(), 1u);
}

}  // namespace
}  // namespace heddle::hub
