// JobScheduler: runs that are queued while every run slot is taken.
#include "hub/jobs/scheduler_tests/job_scheduler_for_test.hpp"

namespace heddle::hub {
namespace {

using lifecycle::JobAction;
using ::testing::Contains;
using ::testing::Not;
using namespace std::chrono_literals;

class JobSchedulerQueue : public JobSchedulerFixture {
 protected:
  void SetUp() override {
    rules_.runs_in_parallel = 1;
    JobSchedulerFixture::SetUp();
  }

  // "long" takes the only run slot.
  void fill_the_slot(const std::vector<Job>& others) {
    jobs_ = others;
    jobs_.push_back(job("long"));
    configure(jobs_);
    ASSERT_TRUE(act("long", JobAction::trigger));
    ASSERT_TRUE(wait_until_executing("long"));
  }
  void finish_long() { executor_->finish("long", RunState::completed); }

  bool gets_queued(const std::string& id) {
    return run_until([&] { return status(id).queued_run.has_value(); });
  }
  bool is_idle() {
    return run_until([&] { return scheduler_->runs_under_way() == 0; });
  }
  void finish(const std::string& id) {
    ASSERT_TRUE(wait_until_executing(id));
    executor_->finish(id, RunState::completed);
  }
  [[nodiscard]] std::size_t runs_of(const std::string& id) const {
    std::size_t count = 0;
    for (const heddle::Run& run : begun_runs())
      if (run.job.text == id) ++count;
    return count;
  }

  std::vector<Job> jobs_;
};

TEST_F(JobSchedulerQueue, KeepsATriggerAcrossARestart) {
  fill_the_slot({job("shop")});
  const auto answer = act("shop", JobAction::trigger);
  ASSERT_TRUE(answer) << answer.error().message;
  ASSERT_TRUE(answer->queued_run) << "visible to the caller";
  EXPECT_EQ(answer->queued_run->trigger, RunTrigger::manual);
  EXPECT_EQ(answer->queued_run->since, clock_.now());
  EXPECT_THAT(events("shop"), Contains("run.waiting")) << "it was stored before the answer";
  const WallTime since = clock_.now();
  clock_.advance(5min);
  restart(jobs_);
  ASSERT_TRUE(status("shop").queued_run);
  EXPECT_EQ(status("shop").queued_run->since, since);
  ASSERT_TRUE(wait_until_executing("long"));
  EXPECT_FALSE(executor_->is_executing("shop"));
  EXPECT_EQ(scheduler_->queued_runs().count, 1u);
  finish_long();
  ASSERT_TRUE(wait_until_executing("shop"));
  EXPECT_EQ(begun_runs().back().trigger, RunTrigger::manual);
  EXPECT_EQ(status("shop").queued_run, std::nullopt);
  finish("shop");
  ASSERT_TRUE(is_idle());
  restart(jobs_);
  EXPECT_EQ(scheduler_->runs_under_way(), 0u) << "it is not run again";
}

TEST_F(JobSchedulerQueue, KeepsItsOrderAcrossARestart) {
  fill_the_slot({job("a"), job("b"), job("c")});
  for (const char* each : {"c", "a", "b"}) {
    ASSERT_TRUE(act(each, JobAction::trigger));
    clock_.advance(1s);
  }
  restart(jobs_);
  ASSERT_TRUE(wait_until_executing("long"));
  finish_long();
  for (const char* each : {"c", "a", "b"}) finish(each);
  ASSERT_TRUE(is_idle());
}

TEST_F(JobSchedulerQueue, KeepsADependentRunAcrossARestart) {
  Job dependent = job("dependent");
  dependent.after = {{JobId{"long"}, TriggerOn::completed}};
  fill_the_slot({dependent, job("other")});
  ASSERT_TRUE(act("other", JobAction::trigger));
  clock_.advance(1s);
  finish_long();
  ASSERT_TRUE(gets_queued("dependent"));
  EXPECT_EQ(status("dependent").queued_run->trigger, RunTrigger::after);
  restart(jobs_);
  finish("other");
  ASSERT_TRUE(wait_until_executing("dependent"));
  EXPECT_EQ(begun_runs().back().trigger, RunTrigger::after);
}

TEST_F(JobSchedulerQueue, KeepsADueRunOnAReload) {
  fill_the_slot({job("daily", "30 12 * * *")});
  wait_for_next_run("daily");
  ASSERT_TRUE(gets_queued("daily"));
  configure(jobs_);
  EXPECT_TRUE(status("daily").queued_run);
  restart(jobs_);
  ASSERT_TRUE(wait_until_executing("long"));
  finish_long();
  ASSERT_TRUE(wait_until_executing("daily"));
  EXPECT_EQ(begun_runs().back().trigger, RunTrigger::time);
  finish("daily");
  ASSERT_TRUE(is_idle());
  EXPECT_EQ(runs_of("daily"), 1u);
  EXPECT_EQ(status("daily").next_run_at, parse_iso8601("2026-11-16T12:30:00Z"));
}

TEST_F(JobSchedulerQueue, KeepsARunBehindThePreviousOne) {
  Job queued = job("queued", "10m");
  queued.overlap = OverlapPolicy::queue;
  configure({queued});
  ASSERT_TRUE(wait_until_executing("queued"));
  advance(15min);
  ASSERT_TRUE(gets_queued("queued"));
  restart({queued});
  finish("queued");
  ASSERT_TRUE(run_until([&] { return runs_of("queued") == 1; })) << "the one that waited";
}

TEST_F(JobSchedulerQueue, DropsACancelledRun) {
  fill_the_slot({job("shop")});
  ASSERT_TRUE(act("shop", JobAction::trigger));
  const auto cancelled = act("shop", JobAction::cancel);
  ASSERT_TRUE(cancelled) << cancelled.error().message;
  EXPECT_EQ(cancelled->state, JobState::scheduled);
  EXPECT_EQ(cancelled->queued_run, std::nullopt);
  EXPECT_THAT(events("shop"), Contains("run.withdrawn"));
  EXPECT_EQ(act("shop", JobAction::cancel).error().code, ErrorCode::conflict);
  restart(jobs_);
  finish("long");
  ASSERT_TRUE(is_idle());
  EXPECT_EQ(runs_of("shop"), 0u);
}

TEST_F(JobSchedulerQueue, DropsRunsOfPausedStoppedAndArchivedJobs) {
  fill_the_slot({job("paused"), job("stopped"), job("archived")});
  for (const char* each : {"paused", "stopped", "archived"})
    ASSERT_TRUE(act(each, JobAction::trigger));
  ASSERT_TRUE(act("paused", JobAction::pause));
  ASSERT_TRUE(act("stopped", JobAction::stop));
  ASSERT_TRUE(act("archived", JobAction::archive));
  for (const char* each : {"paused", "stopped", "archived"})
    EXPECT_EQ(status(each).queued_run, std::nullopt) << each;
  EXPECT_EQ(scheduler_->queued_runs().count, 0u);
  ASSERT_TRUE(act("paused", JobAction::resume));
  finish_long();
  ASSERT_TRUE(is_idle());
  EXPECT_EQ(runs_of("paused"), 0u);
}

TEST_F(JobSchedulerQueue, KeepsARunWhileTheJobIsRunDirectly) {
  fill_the_slot({job("shop")});
  ASSERT_TRUE(act("shop", JobAction::trigger));
  std::optional<Result<ExecutionResult>> ended;
  boost::asio::co_spawn(*loop_, scheduler_->run_now(JobId{"shop"}, {}),
                        [&](const std::exception_ptr& bug, Result<ExecutionResult> result) {
                          rethrow_bug(bug);
                          ended = std::move(result);
                        });
  ASSERT_TRUE(wait_until_executing("shop"));
  finish_long();  // frees the slot, but the job is busy
  ASSERT_TRUE(run_until([&] { return !executor_->is_executing("long"); }));
  EXPECT_TRUE(status("shop").queued_run);
  executor_->finish("shop", RunState::completed);
  ASSERT_TRUE(run_until([&] { return ended && runs_of("shop") == 2; }));
  finish("shop");
  ASSERT_TRUE(is_idle());
  EXPECT_EQ(runs_of("shop"), 2u);
  EXPECT_THAT(events("shop"), Not(Contains("run.withdrawn")));
}

// The paused run of "shop" is resumed while "long" has the only slot.
class JobSchedulerQueuedResume : public JobSchedulerQueue {
 protected:
  void SetUp() override {
    JobSchedulerQueue::SetUp();
    jobs_ = {job("shop"), job("long")};
    configure(jobs_);
    ASSERT_TRUE(act("shop", JobAction::trigger));
    ASSERT_TRUE(wait_until_executing("shop"));
    ASSERT_TRUE(act("shop", JobAction::pause));
    ASSERT_TRUE(is_idle());
    run_ = *status("shop").run;
    fill_the_slot({job("shop")});
    const auto answer = act("shop", JobAction::resume);
    ASSERT_TRUE(answer) << answer.error().message;
    ASSERT_TRUE(answer->queued_run);
    EXPECT_EQ(answer->state, JobState::paused);
    EXPECT_EQ(executor_->under_way.size(), 1u);
  }

  RunId run_;
};

TEST_F(JobSchedulerQueuedResume, StartsWhenASlotIsFree) {
  ASSERT_TRUE(act("shop", JobAction::resume)) << "asked for twice";
  finish_long();
  ASSERT_TRUE(wait_until_executing("shop"));
  EXPECT_EQ(status("shop").run, run_);
  EXPECT_EQ(state("shop"), JobState::running);
  EXPECT_EQ(status("shop").queued_run, std::nullopt);
  finish("shop");
  ASSERT_TRUE(is_idle());
  EXPECT_EQ(runs_of("shop"), 1u);
}

TEST_F(JobSchedulerQueuedResume, SurvivesARestart) {
  restart(jobs_);
  ASSERT_TRUE(wait_until_executing("long"));
  EXPECT_EQ(state("shop"), JobState::paused);
  EXPECT_TRUE(status("shop").queued_run);
  finish_long();
  ASSERT_TRUE(wait_until_executing("shop"));
  EXPECT_EQ(status("shop").run, run_);
}

TEST_F(JobSchedulerQueuedResume, IsDroppedByAPause) {
  const auto paused = act("shop", JobAction::pause);
  ASSERT_TRUE(paused) << paused.error().message;
  EXPECT_EQ(paused->queued_run, std::nullopt);
  finish_long();
  ASSERT_TRUE(is_idle());
  EXPECT_EQ(state("shop"), JobState::paused);
  EXPECT_EQ(status("shop").run, run_) << "it keeps its run";
}

TEST_F(JobSchedulerQueuedResume, IsDroppedByACancel) {
  ASSERT_TRUE(act("shop", JobAction::cancel));
  EXPECT_EQ(status("shop").queued_run, std::nullopt);
  EXPECT_EQ(scheduler_->queued_runs().count, 0u);
  finish_long();
  ASSERT_TRUE(is_idle());
  EXPECT_EQ(state("shop"), JobState::scheduled);
  const auto run = drive(store_->find_run(run_));
  ASSERT_TRUE(run && *run);
  EXPECT_EQ((*run)->state, RunState::cancelled);
}

}  // namespace
}  // namespace heddle::hub
