// JobScheduler: a run that is cancelled or stopped while it pauses ends at any moment.
#include "hub/jobs/scheduler_tests/job_scheduler_for_test.hpp"

namespace heddle::hub {
namespace {

using lifecycle::JobAction;
using namespace std::chrono_literals;

class JobSchedulerRunEnds : public JobSchedulerFixture {
 protected:
  std::vector<heddle::Run> unfinished() {
    auto runs = drive(store_->unfinished_runs());
    return runs ? *runs : std::vector<heddle::Run>();
  }

  // Pauses a run and requests its end so many loop iterations later.
  void end_while_it_pauses(JobAction action, int turns) {
    ASSERT_TRUE(act("shop", JobAction::trigger));
    ASSERT_TRUE(wait_until_executing("shop"));
    const RunId run = *status("shop").run;
    std::optional<Result<JobStatus>> paused;
    boost::asio::co_spawn(*loop_, scheduler_->act(JobId{"shop"}, {JobAction::pause, false}),
                          [&](const std::exception_ptr& bug, Result<JobStatus> answer) {
                            rethrow_bug(bug);
                            paused = std::move(answer);
                          });
    for (int i = 0; i < turns; ++i) loop_->run_one_for(5ms);
    const auto ended = act("shop", action);
    ASSERT_TRUE(run_until([&] { return paused && scheduler_->runs_under_way() == 0; })) << turns;
    if (!ended) {
      ASSERT_TRUE(act("shop", action)) << "it came before the pause: " << turns;
    }
    ASSERT_TRUE(run_until([&] { return scheduler_->runs_under_way() == 0; })) << turns;
    if (state("shop") == JobState::paused) {  // the end came first, then the pause
      ASSERT_TRUE(act("shop", JobAction::resume));
    }
    ASSERT_TRUE(unfinished().empty()) << turns;
    EXPECT_EQ(status("shop").run, std::nullopt) << turns;
    const auto found = drive(store_->find_run(run));
    const bool is_cancel = action == JobAction::cancel;
    EXPECT_EQ((*found)->state, is_cancel ? RunState::cancelled : RunState::stopped) << turns;
    if (is_cancel) return;
    ASSERT_TRUE(reaches("shop", JobState::stopped)) << turns;
    ASSERT_TRUE(act("shop", JobAction::start));
  }
};

TEST_F(JobSchedulerRunEnds, CancelARunThatIsPausing) {
  configure({job("shop")});
  for (int turns = 0; turns < 20; ++turns) end_while_it_pauses(JobAction::cancel, turns);
}

TEST_F(JobSchedulerRunEnds, StopARunThatIsPausing) {
  configure({job("shop")});
  for (int turns = 0; turns < 20; ++turns) end_while_it_pauses(JobAction::stop, turns);
}

}  // namespace
}  // namespace heddle::hub
