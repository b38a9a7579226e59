// JobDriver: a run that is cancelled or stopped while it comes to rest ends, at whatever moment.
#include "hub/driver_for_test.hpp"

namespace heddle::hub {
namespace {

using lifecycle::JobAction;
using namespace std::chrono_literals;

class JobDriverEndings : public DriverFixture {
 protected:
  std::vector<heddle::Run> unfinished() {
    auto runs = drive(store_->unfinished_runs());
    return runs ? *runs : std::vector<heddle::Run>();
  }

  // Pauses a run and asks for its end so many turns of the loop later.
  void end_while_it_pauses(JobAction action, int turns) {
    ASSERT_TRUE(act("shop", JobAction::trigger));
    ASSERT_TRUE(is_worked_on("shop"));
    const RunId run = *life("shop").run;
    std::optional<Result<JobLife>> paused;
    boost::asio::co_spawn(*loop_, driver_->act(JobId{"shop"}, JobAction::pause, false),
                          [&](const std::exception_ptr& bug, Result<JobLife> answer) {
                            rethrow_bug(bug);
                            paused = std::move(answer);
                          });
    for (int i = 0; i < turns; ++i) loop_->run_one_for(5ms);
    const auto ended = act("shop", action);
    ASSERT_TRUE(run_until([&] { return paused && driver_->runs_under_way() == 0; })) << turns;
    if (!ended) {
      ASSERT_TRUE(act("shop", action)) << "it came before the pause: " << turns;
    }
    ASSERT_TRUE(run_until([&] { return driver_->runs_under_way() == 0; })) << turns;
    if (state("shop") == JobState::paused) {  // the end came first, then the pause
      ASSERT_TRUE(act("shop", JobAction::resume));
    }
    ASSERT_TRUE(unfinished().empty()) << turns;
    EXPECT_EQ(life("shop").run, std::nullopt) << turns;
    const auto found = drive(store_->find_run(run));
    const bool is_cancel = action == JobAction::cancel;
    EXPECT_EQ((*found)->state, is_cancel ? RunState::cancelled : RunState::stopped) << turns;
    if (is_cancel) return;
    ASSERT_TRUE(comes_to("shop", JobState::stopped)) << turns;
    ASSERT_TRUE(act("shop", JobAction::start));
  }
};

TEST_F(JobDriverEndings, OfACancelledRun) {
  adopt({job("shop")});
  for (int turns = 0; turns < 20; ++turns) end_while_it_pauses(JobAction::cancel, turns);
}

TEST_F(JobDriverEndings, OfAStoppedRun) {
  adopt({job("shop")});
  for (int turns = 0; turns < 20; ++turns) end_while_it_pauses(JobAction::stop, turns);
}

}  // namespace
}  // namespace heddle::hub
