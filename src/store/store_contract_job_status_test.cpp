// StoreContract: job statuses, and runs that pause.
#include "store/store_contract_for_test.hpp"

namespace heddle::store::testing {

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

JobStatus full_status() {
  JobStatus status;
  status.job = {"shop"};
  status.state = JobState::paused;
  status.since = at(5000);
  status.pause_reason = PauseReason::quota;
  status.run = RunId{"r1"};
  status.next_run_at = at(7000);
  status.handled_until = at(6000);
  status.queued_run = QueuedRun{RunTrigger::resume, at(5500)};
  status.unpropagated_run = RunId{"r0"};
  status.check = CheckState::failing;
  status.failed_runs = 3;
  status.attempt = 2;
  status.revision = "abc";
  return status;
}

JobStatus status_in(JobState state, const std::string& job = "shop") {
  JobStatus status;
  status.job = {job};
  status.state = state;
  return status;
}

TEST_P(StoreContract, KeepsEveryFieldOfAJobStatus) {
  ASSERT_TRUE(run_async(store_->change_job({std::nullopt, full_status(), {}})));
  reopen();
  auto statuses = run_async(store_->job_statuses());
  ASSERT_TRUE(statuses) << statuses.error().message;
  EXPECT_THAT(*statuses, ElementsAre(full_status()));
  auto read = reader()->job_statuses();
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_THAT(*read, ElementsAre(full_status()));
}

TEST_P(StoreContract, KeepsAJobStatusWithoutOptionalFields) {
  ASSERT_TRUE(run_async(store_->change_job({std::nullopt, status_in(JobState::created), {}})));
  auto statuses = run_async(store_->job_statuses());
  ASSERT_TRUE(statuses);
  EXPECT_THAT(*statuses, ElementsAre(status_in(JobState::created)));
}

TEST_P(StoreContract, ChangesAJobOnlyFromTheExpectedState) {
  ASSERT_TRUE(run_async(store_->change_job({std::nullopt, status_in(JobState::created), {}})));
  auto again = run_async(store_->change_job({std::nullopt, status_in(JobState::stopped), {}}));
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::conflict);
  auto elsewhere =
      run_async(store_->change_job({JobState::running, status_in(JobState::completed), {}}));
  ASSERT_FALSE(elsewhere);
  EXPECT_EQ(elsewhere.error().code, ErrorCode::conflict);
  auto unknown = run_async(
      store_->change_job({JobState::created, status_in(JobState::stopped, "unknown"), {}}));
  ASSERT_FALSE(unknown);
  ASSERT_TRUE(
      run_async(store_->change_job({JobState::created, status_in(JobState::scheduled), {}})));
  auto statuses = run_async(store_->job_statuses());
  ASSERT_TRUE(statuses);
  EXPECT_THAT(*statuses, ElementsAre(status_in(JobState::scheduled)));
}

TEST_P(StoreContract, KeepsEventsInOrder) {
  JobChange change{std::nullopt, status_in(JobState::created), {}};
  change.events = {{.kind = "job.created", .at = at(1)},
                   {.kind = "job.paused",
                    .at = at(2),
                    .run = RunId{"r1"},
                    .data = {{"reason", "user"}, {"why", "\"tired\""}}}};
  ASSERT_TRUE(run_async(store_->change_job(std::move(change))));
  auto events = reader()->events(0, 10);
  ASSERT_TRUE(events) << events.error().message;
  ASSERT_EQ(events->size(), 2u);
  EXPECT_EQ(events->front().kind, "job.created");
  EXPECT_EQ(events->back().job.text, "shop");
  EXPECT_EQ(events->back().run.text, "r1");
  EXPECT_EQ(events->back().data, R"({"reason":"user","why":"\"tired\""})");
  auto of_job = reader()->job_events({"shop"}, 0, 1);
  ASSERT_TRUE(of_job);
  ASSERT_EQ(of_job->size(), 1u);
  EXPECT_EQ(of_job->front().kind, "job.paused");
  auto of_other = reader()->job_events({"other"}, 0, 10);
  ASSERT_TRUE(of_other);
  EXPECT_THAT(*of_other, IsEmpty());
  auto newest = reader()->job_events({}, 0, 1);
  ASSERT_TRUE(newest);
  ASSERT_EQ(newest->size(), 1u);
  EXPECT_EQ(newest->front().job.text, "shop");
  EXPECT_EQ(newest->front().kind, "job.paused");
  auto later = reader()->events(events->front().id, 10);
  ASSERT_TRUE(later);
  EXPECT_EQ(later->size(), 1u);
}

TEST_P(StoreContract, StartsWithoutJobStatuses) {
  auto statuses = run_async(store_->job_statuses());
  ASSERT_TRUE(statuses);
  EXPECT_THAT(*statuses, IsEmpty());
}

TEST_P(StoreContract, PausesAndResumesARun) {
  const RunId run = begin("r1", {"http://a/1"});
  ASSERT_TRUE(run_async(store_->mark_run(run, RunState::paused)));
  reopen();
  auto paused = run_async(store_->find_run(run));
  ASSERT_TRUE(paused && *paused);
  EXPECT_EQ((*paused)->state, RunState::paused);
  ASSERT_TRUE(run_async(store_->mark_run(run, RunState::in_progress)));
  store_page(run, {1});
  auto unfinished = run_async(store_->unfinished_runs());
  ASSERT_TRUE(unfinished);
  ASSERT_EQ(unfinished->size(), 1u);
  EXPECT_EQ(unfinished->front().state, RunState::in_progress);
}

TEST_P(StoreContract, RefusesToMarkAnEndedRunOrATerminalState) {
  const RunId run = begin("r1", {"http://a/1"});
  EXPECT_EQ(run_async(store_->mark_run(run, RunState::failed)).error().code, ErrorCode::bad_input);
  ASSERT_TRUE(run_async(store_->end_run(run, RunState::cancelled, {}, at(9000))));
  EXPECT_EQ(run_async(store_->mark_run(run, RunState::paused)).error().code, ErrorCode::conflict);
  EXPECT_EQ(run_async(store_->mark_run({"none"}, RunState::paused)).error().code,
            ErrorCode::not_found);
}

TEST_P(StoreContract, RefusesARunStateThatTheTransitionTableDoesNotAllow) {
  const RunId run = begin("r1", {"http://a/1"});
  ASSERT_TRUE(run_async(store_->mark_run(run, RunState::in_progress))) << "no step at all";
  for (const RunState earlier : {RunState::queued, RunState::starting}) {
    const auto refused = run_async(store_->mark_run(run, earlier));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::conflict);
    EXPECT_EQ(refused.error().message,
              "run r1 is in_progress: it cannot become " + std::string(to_text(earlier)));
  }
  ASSERT_TRUE(run_async(store_->mark_run(run, RunState::paused)));
  auto ended = run_async(store_->end_run(run, RunState::limited, {}, at(9000)));
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->state, RunState::limited);
}

TEST_P(StoreContract, CountsTheUsageOfAJobSinceATime) {
  auto usage = run_async(store_->usage_since({"shop"}, at(0)));
  ASSERT_TRUE(usage) << usage.error().message;
  EXPECT_EQ(usage->runs, 0);
  begin("r1", {"http://a/1", "http://a/2"});
  ASSERT_TRUE(end({"r1"}));
  heddle::Run later = new_run("r2", "shop");
  later.started_at = at(5000);
  ASSERT_TRUE(run_async(store_->begin_run(later, {"http://a/1", "http://a/2", "http://a/3"})));
  store_page({"r2"}, {1});
  later = new_run("r3", "other");
  later.started_at = at(6000);
  ASSERT_TRUE(run_async(store_->begin_run(later, {"http://b/1"})));

  usage = run_async(store_->usage_since({"shop"}, at(5000)));
  ASSERT_TRUE(usage);
  EXPECT_EQ(usage->runs, 1);
  EXPECT_EQ(usage->pages, 3);  // an unfinished run may still do all of them
  ASSERT_TRUE(end({"r2"}, RunState::cancelled));
  reopen();
  usage = run_async(store_->usage_since({"shop"}, at(5000)));
  ASSERT_TRUE(usage);
  EXPECT_EQ(usage->pages, 1);
  usage = run_async(store_->usage_since({"shop"}, at(1000)));
  ASSERT_TRUE(usage);
  EXPECT_EQ(usage->runs, 2);
}

}  // namespace

}  // namespace heddle::store::testing
