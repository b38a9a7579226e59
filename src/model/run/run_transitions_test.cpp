#include "model/run/run_transitions.hpp"

#include <set>
#include <utility>

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(RunTransitions, LeadFromQueuedToEveryTerminalState) {
  std::set<RunState> reached{RunState::queued};
  for (int round = 0; round < 9; ++round)
    for (const auto& transition : kRunTransitions)
      if (reached.contains(transition.from)) reached.insert(transition.to);
  EXPECT_EQ(reached.size(), 9u);
  EXPECT_FALSE(can_transition(RunState::queued, RunState::completed));
}

TEST(RunTransitions, NeverLeaveATerminalState) {
  for (const auto& transition : kRunTransitions) EXPECT_FALSE(is_terminal(transition.from));
}

TEST(RunTransitions, EndAStartedRunInAnyTerminalState) {
  for (const RunState from : {RunState::in_progress, RunState::paused})
    for (const RunState to : {RunState::completed, RunState::failed, RunState::stopped,
                              RunState::cancelled, RunState::limited})
      EXPECT_TRUE(can_transition(from, to)) << to_text(from) << " to " << to_text(to);
}

TEST(TaskTransitions, NeverLeaveATerminalState) {
  for (const TaskState end : {TaskState::done, TaskState::skipped, TaskState::dead})
    for (int to = 0; to < 6; ++to) EXPECT_FALSE(can_transition(end, static_cast<TaskState>(to)));
  EXPECT_TRUE(can_transition(TaskState::retry, TaskState::pending));
}

TEST(TransitionTables, NameEveryTransitionOnce) {
  std::set<std::pair<RunState, RunState>> runs;
  for (const auto& transition : kRunTransitions) runs.emplace(transition.from, transition.to);
  EXPECT_EQ(runs.size(), kRunTransitions.size());
  std::set<std::pair<TaskState, TaskState>> tasks;
  for (const auto& transition : kTaskTransitions) tasks.emplace(transition.from, transition.to);
  EXPECT_EQ(tasks.size(), kTaskTransitions.size());
}

}  // namespace
}  // namespace heddle
