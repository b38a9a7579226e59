// JobScheduler: dependent jobs start once, whenever the daemon dies.
#include <algorithm>

#include "hub/jobs/scheduler_tests/job_scheduler_for_test.hpp"

namespace heddle::hub {
namespace {

using lifecycle::JobAction;
using namespace std::chrono_literals;

class JobSchedulerDependents : public JobSchedulerFixture,
                               public ::testing::WithParamInterface<OverlapPolicy> {
 protected:
  static std::vector<Job> jobs() {
    Job second = job("second");
    second.after = {{JobId{"first"}, TriggerOn::finished}};
    second.overlap = GetParam();
    return {job("first"), second};
  }

  // Everything that is not in the store is lost.
  void kill_daemon() {
    scheduler_->shut_down();  // so that pending coroutines start nothing
    store_.reset();
    loop_.reset();
    scheduler_.reset();
    executor_.reset();
  }

  void restart_daemon() {
    start_daemon();
    configure(jobs());
    ASSERT_TRUE(drive(scheduler_->recover()));
    start_schedule();
  }

  // Completes every run until nothing is left to do.
  bool finishes_everything() {
    return run_until([this] {
      executor_->finish("first", RunState::completed);
      executor_->finish("second", RunState::completed);
      const bool is_triggered = !status("first").unpropagated_run && !status("second").queued_run;
      return is_triggered && scheduler_->runs_under_way() == 0 &&
             scheduler_->queued_runs().count == 0;
    });
  }

  std::size_t runs_of(const std::string& id) {
    auto reader = store::SqliteReader::open(file());
    auto runs = reader ? (*reader)->runs(JobId{id}, 1000) : std::vector<heddle::Run>();
    return runs ? runs->size() : 0;
  }
};

TEST_P(JobSchedulerDependents, StartOnceWheneverTheDaemonDies) {
  configure(jobs());
  bool has_begun = false;
  for (std::size_t moment = 0; !has_begun; ++moment) {
    ASSERT_TRUE(act("first", JobAction::trigger));
    ASSERT_TRUE(wait_until_executing("first"));
    executor_->finish("first", RunState::completed);
    for (std::size_t turn = 0; turn < moment; ++turn) loop_->run_one_for(20ms);
    has_begun = executor_->is_executing("second");
    kill_daemon();
    restart_daemon();
    ASSERT_TRUE(finishes_everything()) << moment;
    ASSERT_EQ(runs_of("first"), moment + 1);
    ASSERT_EQ(runs_of("second"), moment + 1) << "the daemon died after " << moment << " turns";
  }
}

INSTANTIATE_TEST_SUITE_P(Overlaps, JobSchedulerDependents,
                         ::testing::Values(OverlapPolicy::skip, OverlapPolicy::queue,
                                           OverlapPolicy::replace));

using JobSchedulerChains = JobSchedulerFixture;

TEST_F(JobSchedulerChains, ClearAPendingTriggerWithoutDependents) {
  Job second = job("second");
  second.after = {{JobId{"first"}, TriggerOn::finished}};
  configure({job("first"), second});
  JobStatus pending = status("first");
  pending.unpropagated_run = RunId{"long gone"};
  ASSERT_TRUE(drive(store_->change_job({pending.state, pending, {}})));
  restart({job("first"), job("second")});
  EXPECT_EQ(begun_runs().size(), 0u);
  EXPECT_EQ(status("first").unpropagated_run, std::nullopt);
}

TEST_F(JobSchedulerChains, DoNotStartAPausedJob) {
  Job second = job("second");
  second.after = {{JobId{"first"}, TriggerOn::finished}};
  configure({job("first"), second});
  ASSERT_TRUE(act("second", JobAction::pause));
  ASSERT_TRUE(act("first", JobAction::trigger));
  ASSERT_TRUE(wait_until_executing("first"));
  executor_->finish("first", RunState::completed);
  ASSERT_TRUE(run_until([&] { return ended_.size() == 1 && !status("first").unpropagated_run; }));
  EXPECT_FALSE(status("second").queued_run);
  EXPECT_EQ(begun_runs().size(), 1u);
}

}  // namespace
}  // namespace heddle::hub
