// JobScheduler: runs over the pages of dead letters.
#include "hub/jobs/scheduler_tests/job_scheduler_for_test.hpp"
#include "store/reader_for_test.hpp"

namespace heddle::hub {
namespace {

using lifecycle::JobAction;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using namespace std::chrono_literals;

RunRequest of_dead_letters(std::vector<DeadLetterId> ids) {
  RunRequest request;
  request.dead_letters = std::move(ids);
  return request;
}

class JobSchedulerDeadLetters : public JobSchedulerFixture {
 protected:
  // A run of the job whose page becomes a dead letter.
  DeadLetterId lose_page(const std::string& id) {
    heddle::Run run;
    run.id = {"lost-" + id};
    run.job = {id};
    run.started_at = clock_.now();
    EXPECT_TRUE(drive(store_->begin_run(run, {"http://dead/" + id})));
    auto batch = drive(store_->lease_tasks(run.id, 1, clock_.now()));
    EXPECT_TRUE(batch && batch->leases.size() == 1);
    TaskDeath death;
    death.lease = batch->leases.front();
    death.job = {id};
    death.error = {ErrorKind::timeout, "too slow", "http://dead/" + id};
    death.at = clock_.now();
    EXPECT_TRUE(drive(store_->dead_letter(std::move(death))));
    EXPECT_TRUE(drive(store_->end_run(run.id, RunState::failed, {}, clock_.now())));
    return dead_letters().front();
  }

  std::vector<DeadLetterId> dead_letters() {
    auto reader = store::SqliteReader::open(file());
    EXPECT_TRUE(reader);
    auto all = store::testing::dead_letters_of(**reader, {}, 100);
    EXPECT_TRUE(all);
    std::vector<DeadLetterId> ids;
    for (const DeadLetter& dead_letter : *all) ids.push_back(dead_letter.id);
    return ids;
  }

  std::vector<std::string> pages_of(const RunId& run) {
    auto reader = store::SqliteReader::open(file());
    EXPECT_TRUE(reader);
    auto traces = store::testing::traces_of(**reader, run);
    EXPECT_TRUE(traces);
    std::vector<std::string> urls;
    for (const store::TaskTrace& trace : *traces) urls.push_back(trace.task.url);
    return urls;
  }

  // Returns when the run executes or is refused.
  void retry(const std::string& job, std::vector<DeadLetterId> ids) {
    ended_.reset();
    boost::asio::co_spawn(*loop_, scheduler_->run_now(JobId{job}, of_dead_letters(std::move(ids))),
                          [this](const std::exception_ptr& bug, Result<ExecutionResult> result) {
                            rethrow_bug(bug);
                            ended_ = std::move(result);
                          });
    ASSERT_TRUE(run_until([&] { return ended_ || executor_->is_executing(job); }));
  }

  std::optional<Result<ExecutionResult>> ended_;
};

TEST_F(JobSchedulerDeadLetters, RunExactlyTheirPages) {
  configure({job("shop")});
  const DeadLetterId dead_letter = lose_page("shop");
  retry("shop", {dead_letter});
  EXPECT_EQ(state("shop"), JobState::running);
  EXPECT_THAT(dead_letters(), IsEmpty()) << "the run has the page now";
  const heddle::Run retried = begun_runs().back();
  EXPECT_EQ(retried.trigger, RunTrigger::dead_letter);
  EXPECT_THAT(pages_of(retried.id), ElementsAre("http://dead/shop"));
  executor_->finish("shop", RunState::completed);
  ASSERT_TRUE(reaches("shop", JobState::scheduled));
  ASSERT_TRUE(run_until([&] { return ended_.has_value(); }));
  ASSERT_TRUE(*ended_);
  EXPECT_EQ((*ended_)->run.state, RunState::completed);
  EXPECT_EQ(status("shop").run, std::nullopt);
}

TEST_F(JobSchedulerDeadLetters, AreKeptWhenTheJobMayNotRun) {
  configure({job("shop")});
  const DeadLetterId dead_letter = lose_page("shop");
  ASSERT_TRUE(act("shop", JobAction::pause));
  retry("shop", {dead_letter});
  ASSERT_TRUE(ended_ && !*ended_);
  EXPECT_EQ(ended_->error().code, ErrorCode::conflict);
  EXPECT_THAT(ended_->error().message, HasSubstr("is paused (user): cannot trigger it now"));
  EXPECT_THAT(dead_letters(), ElementsAre(dead_letter));
  retry("unknown", {dead_letter});
  EXPECT_EQ(ended_->error().code, ErrorCode::not_found);
}

TEST_F(JobSchedulerDeadLetters, AreKeptWhileTheJobRuns) {
  configure({job("shop")});
  const DeadLetterId dead_letter = lose_page("shop");
  ASSERT_TRUE(act("shop", JobAction::trigger));
  ASSERT_TRUE(wait_until_executing("shop"));
  const auto refused = drive(scheduler_->run_now(JobId{"shop"}, of_dead_letters({dead_letter})));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  EXPECT_THAT(dead_letters(), ElementsAre(dead_letter));
}

TEST_F(JobSchedulerDeadLetters, ThatAreMissingDoNotChangeTheJob) {
  configure({job("shop", "10m")});
  ASSERT_TRUE(wait_until_executing("shop"));
  executor_->finish("shop", RunState::completed);
  ASSERT_TRUE(reaches("shop", JobState::scheduled));
  const JobStatus before = status("shop");
  retry("shop", {4711});
  ASSERT_TRUE(ended_ && !*ended_);
  EXPECT_EQ(ended_->error().code, ErrorCode::not_found);
  EXPECT_EQ(state("shop"), JobState::scheduled);
  EXPECT_EQ(status("shop").run, std::nullopt);
  EXPECT_EQ(status("shop").next_run_at, before.next_run_at);
  EXPECT_EQ(status("shop").check, before.check);
  EXPECT_THAT(events("shop"), Not(Contains("job.failed")));
}

TEST_F(JobSchedulerDeadLetters, DoNotChangeCheckStateRetriesOrDependents) {
  Job shop = job("shop");
  shop.retry.runs = 3;
  Job dependent = job("dependent");
  dependent.after = {{JobId{"shop"}, TriggerOn::finished}};
  configure({shop, dependent});
  const DeadLetterId dead_letter = lose_page("shop");
  retry("shop", {dead_letter});
  executor_->finish("shop", RunState::failed);
  ASSERT_TRUE(reaches("shop", JobState::scheduled));
  EXPECT_EQ(status("shop").check, CheckState::pending);
  EXPECT_EQ(status("shop").failed_runs, 0);
  EXPECT_EQ(status("shop").attempt, 0) << "the whole job is not tried again for it";
  EXPECT_EQ(status("shop").next_run_at, std::nullopt);
  EXPECT_EQ(state("dependent"), JobState::scheduled);
}

TEST_F(JobSchedulerDeadLetters, ResumeTheirStoredRunAfterARestart) {
  configure({job("shop")});
  const DeadLetterId dead_letter = lose_page("shop");
  retry("shop", {dead_letter});
  restart({job("shop")});
  ASSERT_TRUE(wait_until_executing("shop"));
  EXPECT_THAT(dead_letters(), IsEmpty());
  executor_->finish("shop", RunState::completed);
  ASSERT_TRUE(reaches("shop", JobState::scheduled));
  EXPECT_THAT(begun_runs(), IsEmpty()) << "it was the same run";
}

// Between the job's step and the write of the run: no full run and no lost page.
TEST_F(JobSchedulerDeadLetters, AreKeptWhenTheDaemonDiesBeforeStoringTheRun) {
  configure({job("shop")});
  const DeadLetterId dead_letter = lose_page("shop");
  JobChange change;
  change.from = JobState::scheduled;
  change.now = status("shop");
  change.now.state = JobState::starting;
  change.now.run = RunId{"never-written"};
  ASSERT_TRUE(drive(store_->change_job(std::move(change))));
  restart({job("shop")});
  ASSERT_TRUE(reaches("shop", JobState::scheduled));
  EXPECT_EQ(status("shop").run, std::nullopt);
  EXPECT_THAT(dead_letters(), ElementsAre(dead_letter));
  EXPECT_THAT(begun_runs(), IsEmpty());
}

}  // namespace
}  // namespace heddle::hub
