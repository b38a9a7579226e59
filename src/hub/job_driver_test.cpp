#include "hub/driver_for_test.hpp"

namespace heddle::hub {
namespace {

using lifecycle::JobAction;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

class JobDriverTest : public DriverFixture {};

TEST_F(JobDriverTest, RunsANewJobAtOnceAndThenOnItsGrid) {
  adopt({job("shop", "10m")});
  ASSERT_TRUE(is_worked_on("shop"));
  EXPECT_EQ(state("shop"), JobState::running);
  office_->finish("shop", RunState::completed);
  ASSERT_TRUE(comes_to("shop", JobState::scheduled));
  const WallTime first = *life("shop").next_run_at;
  EXPECT_LE(first - clock_.now(), 10min);
  wait_for_next_run("shop");
  ASSERT_TRUE(is_worked_on("shop"));
  office_->finish("shop", RunState::completed);
  ASSERT_TRUE(comes_to("shop", JobState::scheduled));
  EXPECT_EQ(*life("shop").next_run_at - first, 10min);
  EXPECT_THAT(
      events("shop"),
      ElementsAre("job.created", "job.scheduled", "job.starting", "run.started", "job.running",
                  "run.ended", "job.completed", "job.scheduled", "job.starting", "run.started",
                  "job.running", "run.ended", "job.completed", "job.scheduled"));
}

TEST_F(JobDriverTest, WaitsForATriggerOfAManualJob) {
  adopt({job("shop")});
  EXPECT_EQ(state("shop"), JobState::scheduled);
  EXPECT_EQ(life("shop").next_run_at, std::nullopt);
  const auto triggered = act("shop", JobAction::trigger);
  ASSERT_TRUE(triggered) << triggered.error().message;
  EXPECT_EQ(triggered->state, JobState::starting);
  ASSERT_TRUE(is_worked_on("shop"));
  EXPECT_EQ(office_->begun_runs.back().trigger, "manual");
  office_->finish("shop", RunState::limited);
  ASSERT_TRUE(comes_to("shop", JobState::scheduled));
  EXPECT_EQ(life("shop").check, CheckState::limited);
}

TEST_F(JobDriverTest, RefusesWhatTheTableDoesNotAllow) {
  adopt({job("shop")});
  const auto refused = act("shop", JobAction::resume);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  EXPECT_THAT(refused.error().message, HasSubstr("is scheduled: `resume` is not possible"));
  EXPECT_EQ(act("nobody", JobAction::pause).error().code, ErrorCode::not_found);
  ASSERT_TRUE(act("shop", JobAction::pause));
  EXPECT_THAT(act("shop", JobAction::trigger).error().message, HasSubstr("paused (user)"));
}

TEST_F(JobDriverTest, LeavesADisabledJobAloneUntilItIsTriggered) {
  Job off = job("shop", "10m");
  off.enabled = false;
  adopt({off});
  EXPECT_EQ(state("shop"), JobState::created);
  ASSERT_TRUE(act("shop", JobAction::trigger));
  ASSERT_TRUE(is_worked_on("shop"));
  office_->finish("shop", RunState::completed);
  ASSERT_TRUE(comes_to("shop", JobState::completed));
  adopt({job("shop", "10m")});
  EXPECT_EQ(state("shop"), JobState::scheduled);
}

TEST_F(JobDriverTest, HasEachKindOfJobWorkedOnByItsOwnOffice) {
  Job command = job("backup");
  command.kind = JobKind::command;
  adopt({job("shop"), command});
  ASSERT_TRUE(act("shop", JobAction::trigger));
  ASSERT_TRUE(act("backup", JobAction::trigger));
  ASSERT_TRUE(is_worked_on("shop"));
  ASSERT_TRUE(run_until([&] { return command_office_->works_on("backup"); }));
  EXPECT_FALSE(office_->works_on("backup"));

  ASSERT_TRUE(act("backup", JobAction::pause));
  ASSERT_TRUE(run_until([&] { return !command_office_->works_on("backup"); }));
  ASSERT_TRUE(act("backup", JobAction::resume));
  ASSERT_TRUE(run_until([&] { return command_office_->works_on("backup"); }));
  ASSERT_TRUE(act("backup", JobAction::stop));
  ASSERT_TRUE(comes_to("backup", JobState::stopped));
  EXPECT_EQ(state("shop"), JobState::running);
}

TEST_F(JobDriverTest, PausesARunAndGoesOnWithTheSameOne) {
  adopt({job("shop")});
  ASSERT_TRUE(act("shop", JobAction::trigger));
  ASSERT_TRUE(is_worked_on("shop"));
  const auto paused = act("shop", JobAction::pause);
  ASSERT_TRUE(paused) << paused.error().message;
  EXPECT_EQ(paused->pause_reason, PauseReason::user);
  ASSERT_TRUE(run_until([&] { return !office_->works_on("shop"); }));
  const RunId run = *life("shop").run;
  const auto resumed = act("shop", JobAction::resume);
  ASSERT_TRUE(resumed) << resumed.error().message;
  ASSERT_TRUE(is_worked_on("shop"));
  EXPECT_EQ(life("shop").run, run);
  EXPECT_EQ(office_->begun_runs.size(), 1u);
  office_->finish("shop", RunState::completed);
  ASSERT_TRUE(comes_to("shop", JobState::scheduled));
}

TEST_F(JobDriverTest, DoesNotReplaceAResumedRunForATickOfThePause) {
  Job replacing = job("shop", "10m");
  replacing.overlap = Overlap::replace;
  adopt({replacing});
  ASSERT_TRUE(is_worked_on("shop"));
  const RunId run = *life("shop").run;
  ASSERT_TRUE(act("shop", JobAction::pause));
  ASSERT_TRUE(run_until([&] { return driver_->runs_under_way() == 0; }));
  advance(1h);
  ASSERT_TRUE(act("shop", JobAction::resume));
  ASSERT_TRUE(is_worked_on("shop"));
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(drive(store_->remember_job({{"z"}, "z", "web", ""})));
  EXPECT_EQ(life("shop").run, run);
  EXPECT_EQ(state("shop"), JobState::running);
}

TEST_F(JobDriverTest, KeepsAPausedRunOverARestart) {
  adopt({job("shop", "10m")});
  ASSERT_TRUE(is_worked_on("shop"));
  ASSERT_TRUE(act("shop", JobAction::pause));
  restart({job("shop", "10m")});
  EXPECT_EQ(state("shop"), JobState::paused);
  advance(24h);
  EXPECT_FALSE(office_->works_on("shop"));
  ASSERT_TRUE(act("shop", JobAction::resume));
  ASSERT_TRUE(is_worked_on("shop"));
  EXPECT_TRUE(office_->begun_runs.empty());  // the old one goes on
}

TEST_F(JobDriverTest, GoesOnWithARunThatARestartInterrupted) {
  adopt({job("shop", "10m")});
  ASSERT_TRUE(is_worked_on("shop"));
  const RunId run = *life("shop").run;
  restart({job("shop", "10m")});
  ASSERT_TRUE(is_worked_on("shop"));
  EXPECT_EQ(life("shop").run, run);
  EXPECT_TRUE(office_->begun_runs.empty());
}

TEST_F(JobDriverTest, TellsTheEndOfEachRunOnceHoweverItEnds) {
  adopt({job("shop"), job("news"), job("left"), job("hung")});
  for (const char* id : {"shop", "news", "left", "hung"}) {
    ASSERT_TRUE(act(id, JobAction::trigger));
    ASSERT_TRUE(is_worked_on(id));
  }
  office_->finish("shop", RunState::completed);
  ASSERT_TRUE(comes_to("shop", JobState::scheduled));
  for (const char* id : {"news", "left"}) ASSERT_TRUE(act(id, JobAction::pause));
  ASSERT_TRUE(run_until([&] { return driver_->runs_under_way() == 1; }));
  EXPECT_THAT(ended_, ElementsAre("completed"));
  ASSERT_TRUE(act("news", JobAction::cancel));
  EXPECT_THAT(ended_, ElementsAre("completed", "cancelled"));
  ASSERT_TRUE(act("left", JobAction::stop));
  EXPECT_THAT(ended_, ElementsAre("completed", "cancelled", "stopped"));

  office_->is_deaf = true;
  ASSERT_TRUE(act("hung", JobAction::stop, true));
  ASSERT_TRUE(comes_to("hung", JobState::stopped));
  office_->finish("hung", RunState::completed);
  ASSERT_TRUE(run_until([&] { return driver_->runs_under_way() == 0; }));
  EXPECT_THAT(ended_, ElementsAre("completed", "cancelled", "stopped", "stopped"));
}

TEST_F(JobDriverTest, CancelsARunAndKeepsTheSchedule) {
  adopt({job("shop", "10m")});
  ASSERT_TRUE(is_worked_on("shop"));
  const auto cancelled = act("shop", JobAction::cancel);
  ASSERT_TRUE(cancelled) << cancelled.error().message;
  EXPECT_EQ(cancelled->state, JobState::scheduled);
  EXPECT_TRUE(cancelled->next_run_at);
  ASSERT_TRUE(run_until([&] { return !life("shop").run; }));
  EXPECT_EQ(state("shop"), JobState::scheduled);
  const auto run = drive(store_->find_run(office_->begun_runs.front().id));
  EXPECT_EQ((*run)->state, RunState::cancelled);
}

TEST_F(JobDriverTest, CancelsAPausedRun) {
  adopt({job("shop")});
  ASSERT_TRUE(act("shop", JobAction::trigger));
  ASSERT_TRUE(is_worked_on("shop"));
  ASSERT_TRUE(act("shop", JobAction::pause));
  ASSERT_TRUE(run_until([&] { return driver_->runs_under_way() == 0; }));
  const auto cancelled = act("shop", JobAction::cancel);
  ASSERT_TRUE(cancelled) << cancelled.error().message;
  EXPECT_EQ(cancelled->run, std::nullopt);
  const auto run = drive(store_->find_run(office_->begun_runs.front().id));
  EXPECT_EQ((*run)->state, RunState::cancelled);
}

TEST_F(JobDriverTest, StopsAJobForGoodUntilItIsStartedAnew) {
  adopt({job("shop", "10m")});
  ASSERT_TRUE(is_worked_on("shop"));
  const auto stopping = act("shop", JobAction::stop);
  ASSERT_TRUE(stopping) << stopping.error().message;
  EXPECT_EQ(stopping->state, JobState::stopping);
  ASSERT_TRUE(comes_to("shop", JobState::stopped));
  const auto run = drive(store_->find_run(office_->begun_runs.front().id));
  EXPECT_EQ((*run)->state, RunState::stopped);
  restart({job("shop", "10m")});
  advance(24h);
  EXPECT_EQ(state("shop"), JobState::stopped);
  EXPECT_FALSE(act("shop", JobAction::trigger));
  const auto started = act("shop", JobAction::start);
  ASSERT_TRUE(started) << started.error().message;
  ASSERT_TRUE(is_worked_on("shop"));
}

TEST_F(JobDriverTest, EndsARunThatDoesNotStopInTime) {
  adopt({job("shop")});
  ASSERT_TRUE(act("shop", JobAction::trigger));
  ASSERT_TRUE(is_worked_on("shop"));
  office_->is_deaf = true;
  ASSERT_TRUE(act("shop", JobAction::stop, true));
  ASSERT_TRUE(comes_to("shop", JobState::stopped));
  const auto run = drive(store_->find_run(office_->begun_runs.front().id));
  EXPECT_EQ((*run)->state, RunState::stopped);
  office_->finish("shop", RunState::completed);
  ASSERT_TRUE(run_until([&] { return driver_->runs_under_way() == 0; }));
  EXPECT_EQ(state("shop"), JobState::stopped);
}

TEST_F(JobDriverTest, ArchivesAJobWithItsPausedRun) {
  adopt({job("shop", "10m")});
  ASSERT_TRUE(is_worked_on("shop"));
  ASSERT_TRUE(act("shop", JobAction::pause));
  ASSERT_TRUE(run_until([&] { return driver_->runs_under_way() == 0; }));
  ASSERT_TRUE(act("shop", JobAction::archive));
  EXPECT_EQ(state("shop"), JobState::archived);
  const auto unfinished = drive(store_->unfinished_runs());
  EXPECT_TRUE(unfinished->empty());
}

TEST_F(JobDriverTest, TriesAFailedRunAgainAsAWhole) {
  Job twice = job("shop", "60m");
  twice.retry.runs = 2;
  twice.retry.base = 1s;
  adopt({twice});
  for (const int attempt : {1, 2, 3}) {
    ASSERT_TRUE(is_worked_on("shop"));
    EXPECT_EQ(office_->begun_runs.back().attempt, attempt);
    office_->finish("shop", RunState::failed);
    ASSERT_TRUE(comes_to("shop", JobState::scheduled));
    if (attempt == 1) restart({twice});  // knows that it is to be tried again
    if (attempt < 3) wait_for_next_run("shop");
  }
  EXPECT_EQ(office_->begun_runs[0].trigger, "retry");
  wait_for_next_run("shop");
  ASSERT_TRUE(is_worked_on("shop"));
  EXPECT_EQ(office_->begun_runs.back().trigger, "time");
  EXPECT_EQ(office_->begun_runs.back().attempt, 1);
}

TEST_F(JobDriverTest, AlertsOnceWhenAJobFailsAndOnceWhenItRecovers) {
  Job told = job("shop");
  told.webhook.enabled = true;
  told.webhook.url = "http://127.0.0.1:9/";
  told.notification.enabled = false;
  adopt({told});
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(act("shop", JobAction::trigger));
    ASSERT_TRUE(is_worked_on("shop"));
    office_->finish("shop", RunState::failed);
    ASSERT_TRUE(comes_to("shop", JobState::scheduled));
    EXPECT_EQ(life("shop").check, i == 0 ? CheckState::pending : CheckState::failing);
    ASSERT_TRUE(run_until([&] { return driver_->runs_under_way() == 0; }));
  }
  ASSERT_TRUE(act("shop", JobAction::trigger));
  ASSERT_TRUE(is_worked_on("shop"));
  office_->finish("shop", RunState::completed);
  ASSERT_TRUE(comes_to("shop", JobState::scheduled));
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

TEST_F(JobDriverTest, PausesAJobInQuarantineUntilItIsResumedOrChanged) {
  adopt({job("shop", "10m")});
  ASSERT_TRUE(is_worked_on("shop"));
  office_->finish("shop", RunState::failed, true);
  ASSERT_TRUE(comes_to("shop", JobState::paused));
  EXPECT_EQ(life("shop").pause_reason, PauseReason::quarantined);
  restart({job("shop", "10m")});
  EXPECT_EQ(state("shop"), JobState::paused);
  Job changed = job("shop", "10m");
  changed.revision = "r2";
  adopt({changed});
  EXPECT_EQ(state("shop"), JobState::scheduled);
  EXPECT_THAT(office_->forgiven, ElementsAre("shop"));
}

TEST_F(JobDriverTest, HoldsAJobInQuarantineThatAPersonPaused) {
  adopt({job("shop", "10m")});
  ASSERT_TRUE(is_worked_on("shop"));
  office_->finish("shop", RunState::failed, true);
  ASSERT_TRUE(comes_to("shop", JobState::paused));
  const auto paused = act("shop", JobAction::pause);
  ASSERT_TRUE(paused) << paused.error().message;
  EXPECT_EQ(life("shop").pause_reason, PauseReason::user);
  EXPECT_FALSE(act("shop", JobAction::pause)) << "it is a person's already";
  Job changed = job("shop", "10m");
  changed.revision = "r2";
  adopt({changed});
  EXPECT_EQ(state("shop"), JobState::paused) << "a changed script does not release it";
  ASSERT_TRUE(act("shop", JobAction::resume));
  EXPECT_THAT(office_->forgiven, ElementsAre("shop"));
}

TEST_F(JobDriverTest, PausesAJobWhoseFilesVanishAndGoesOnWhenTheyAreBack) {
  adopt({job("shop", "10m"), job("other")});
  ASSERT_TRUE(is_worked_on("shop"));
  adopt({job("other")});
  EXPECT_EQ(state("shop"), JobState::paused);
  EXPECT_EQ(life("shop").pause_reason, PauseReason::missing);
  EXPECT_FALSE(act("shop", JobAction::resume));
  restart({job("other")});
  EXPECT_EQ(state("shop"), JobState::paused);
  adopt({job("other"), job("shop", "10m")});
  ASSERT_TRUE(is_worked_on("shop"));
  EXPECT_TRUE(office_->begun_runs.empty());  // with its old run
}

TEST_F(JobDriverTest, FailsARunThatCannotBeWrittenDown) {
  adopt({job("shop", "10m")});
  ASSERT_TRUE(is_worked_on("shop"));
  office_->finish("shop", RunState::completed);
  ASSERT_TRUE(comes_to("shop", JobState::scheduled));
  office_->cannot_begin = true;
  wait_for_next_run("shop");
  const WallTime due = *life("shop").next_run_at;
  ASSERT_TRUE(
      run_until([&] { return life("shop").next_run_at && *life("shop").next_run_at > due; }));
  EXPECT_THAT(events("shop"), Contains("job.failed"));
}

TEST_F(JobDriverTest, GoesOnWithARunThatWasWrittenDownJustBeforeTheDaemonDied) {
  adopt({job("shop")});
  std::vector<lifecycle::JobStep> steps(1, {JobAction::trigger});
  lifecycle::JobKeeper offline(*store_, clock_);
  ASSERT_TRUE(drive(offline.load()));
  ASSERT_TRUE(drive(offline.take(JobId{"shop"}, steps)));
  lifecycle::RunKeeper runs(*store_, clock_);
  const auto begun = drive(runs.begin(job("shop"), "manual"));
  ASSERT_TRUE(begun);
  restart({job("shop")});
  ASSERT_TRUE(is_worked_on("shop"));
  EXPECT_EQ(life("shop").run, begun->run.id);
  EXPECT_TRUE(office_->begun_runs.empty());
}

TEST_F(JobDriverTest, BeginsARunThatWasOnlyTriggeredBeforeTheDaemonDied) {
  adopt({job("shop")});
  std::vector<lifecycle::JobStep> steps(1, {JobAction::trigger});
  lifecycle::JobKeeper offline(*store_, clock_);
  ASSERT_TRUE(drive(offline.load()));
  ASSERT_TRUE(drive(offline.take(JobId{"shop"}, steps)));
  restart({job("shop")});
  ASSERT_TRUE(is_worked_on("shop"));
  EXPECT_EQ(office_->begun_runs.size(), 1u);
}

}  // namespace
}  // namespace heddle::hub
