// Programs that cannot be started, temporarily or permanently.
#include <filesystem>

#include <gmock/gmock.h>

#include "supervise/supervisor_for_test.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::supervise {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

class FailedStart : public SupervisorFixture {
 protected:
  static SlotSpec recovering(std::vector<std::string> actions) {
    SlotSpec wanted = spec(std::move(actions));
    wanted.recover = true;
    return wanted;
  }
};

TEST_F(FailedStart, IsRetriedAfterADeath) {
  const heddle::testing::TemporaryFolder folder;
  const auto program = folder.path() / "program";
  std::filesystem::copy_file(HEDDLE_CHILD, program);
  SlotSpec wanted = recovering({"attach", "ready", "beat-forever"});
  wanted.argv[0] = program;
  wanted.restart = RestartPolicy{0ms, 1ms, 1ms, 100, 60s};
  const SlotId slot = start(wanted);
  ASSERT_TRUE(wait_for(SlotEventKind::ready));
  std::filesystem::rename(program, folder.path() / "elsewhere");
  kill_current(slot, SIGKILL);
  ASSERT_TRUE(wait_for(SlotEventKind::start_failed));
  EXPECT_THAT(last(SlotEventKind::start_failed).detail, HasSubstr("program"));
  EXPECT_EQ(status(slot).state, SlotState::waiting);
  std::filesystem::rename(folder.path() / "elsewhere", program);
  EXPECT_TRUE(wait_for(SlotEventKind::ready, 2));
}

TEST_F(FailedStart, IsRetriedWhenItIsTheFirst) {
  const heddle::testing::TemporaryFolder folder;
  SlotSpec wanted = recovering({"attach", "ready", "beat-forever"});
  wanted.argv[0] = folder.path() / "program";
  wanted.restart = RestartPolicy{0ms, 1ms, 1ms, 100, 60s};
  const SlotId slot = supervisor_->add(wanted);
  EXPECT_FALSE(supervisor_->start(slot));
  EXPECT_EQ(status(slot).state, SlotState::waiting);
  ASSERT_TRUE(wait_for(SlotEventKind::start_failed, 2));
  std::filesystem::copy_file(HEDDLE_CHILD, folder.path() / "program");
  EXPECT_TRUE(wait_for(SlotEventKind::ready));
}

TEST_F(FailedStart, IsGivenUpByThePolicy) {
  SlotSpec wanted = recovering({"attach"});
  wanted.argv[0] = "/no/such/program";
  wanted.restart = RestartPolicy{0ms, 1ms, 1ms, 1, 60s};
  const SlotId slot = supervisor_->add(wanted);
  EXPECT_FALSE(supervisor_->start(slot));
  ASSERT_TRUE(wait_for(SlotEventKind::gave_up));
  EXPECT_EQ(count(SlotEventKind::start_failed), 2u);
  EXPECT_EQ(status(slot).state, SlotState::gave_up);
}

TEST_F(FailedStart, IsNotRetriedWithoutRecovery) {
  SlotSpec wanted = spec({"attach"});
  wanted.argv[0] = "/no/such/program";
  const SlotId slot = supervisor_->add(wanted);
  EXPECT_FALSE(supervisor_->start(slot));
  EXPECT_TRUE(wait_for(SlotEventKind::start_failed));
  EXPECT_EQ(status(slot).state, SlotState::down);
}

}  // namespace
}  // namespace heddle::supervise
