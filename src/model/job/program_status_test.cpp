#include "model/job/program_status.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

using namespace std::chrono_literals;

ProcessRecord attempt_in(ProcessState state, std::optional<int> code) {
  ProcessRecord record;
  record.state = state;
  record.started_at = WallTime(1h);
  if (state != ProcessState::running) record.ended_at = WallTime(2h);
  record.exit.code = code;
  record.is_ready = true;
  return record;
}

TEST(KnownEnd, IsTheEndOfAProgramThatWasSeenToEnd) {
  EXPECT_EQ(known_end(attempt_in(ProcessState::succeeded, 0)), WallTime(2h));
  EXPECT_EQ(known_end(attempt_in(ProcessState::interrupted, 0)), WallTime(2h)) << "by a shutdown";
  EXPECT_EQ(known_end(attempt_in(ProcessState::failed, std::nullopt)), WallTime(2h))
      << "not started";
  EXPECT_EQ(known_end(attempt_in(ProcessState::running, std::nullopt)), std::nullopt);
}

TEST(KnownEnd, IsMissingWhenTheProgramDiedWithItsDaemon) {
  EXPECT_EQ(known_end(attempt_in(ProcessState::interrupted, std::nullopt)), std::nullopt);
  HookRecord hook;
  hook.state = HookState::interrupted;
  hook.started_at = WallTime(1h);
  hook.ended_at = WallTime(2h);
  EXPECT_EQ(known_end(hook), std::nullopt);
  hook.exit.signal = 15;
  EXPECT_EQ(known_end(hook), WallTime(2h));
}

TEST(ProgramStatus, HasNothingActiveWithoutADaemon) {
  ProgramHistory history;
  history.processes = {attempt_in(ProcessState::succeeded, 0),
                       attempt_in(ProcessState::running, std::nullopt)};
  history.hooks.emplace_back().state = HookState::running;
  EXPECT_EQ(program_status(history, RunState::in_progress).active, 1);
  const ProgramHistory left = without_daemon(history);
  EXPECT_EQ(left.processes[0], history.processes[0]);
  EXPECT_EQ(left.processes[1].state, ProcessState::interrupted);
  EXPECT_FALSE(left.processes[1].is_ready);
  EXPECT_EQ(left.hooks[0].state, HookState::interrupted);
  EXPECT_EQ(program_status(left, RunState::in_progress).active, 0);
}

}  // namespace
}  // namespace heddle
