#include "lifecycle/job_transitions.hpp"

#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "model/run/run_transitions.hpp"

namespace heddle::lifecycle {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t kJobStates = kAllJobStates.size();

// Every state can be reached from every other one.
constexpr bool is_connected() {
  for (std::size_t start = 0; start < kJobStates; ++start) {
    std::array<bool, kJobStates> reached{};
    reached[start] = true;
    for (std::size_t round = 0; round < kJobStates; ++round)
      for (const JobTransition& transition : kJobTransitions)
        if (reached[static_cast<std::size_t>(transition.from)])
          reached[static_cast<std::size_t>(transition.to)] = true;
    for (const bool is_reached : reached)
      if (!is_reached) return false;
  }
  return true;
}
static_assert(is_connected());

// The targets of each state, as the contract lists them.
const std::map<JobState, std::set<JobState>>& allowed_targets() {
  using enum JobState;
  static const std::map<JobState, std::set<JobState>> targets{
      {created, {scheduled, starting, stopped, archived}},
      {scheduled, {starting, paused, created, stopping, stopped, archived}},
      {starting, {running, failed, paused, stopping, scheduled}},
      {running, {completed, failed, paused, stopping, scheduled}},
      {paused, {scheduled, stopping, stopped, archived}},
      {completed, {scheduled, starting, stopped, archived}},
      {failed, {scheduled, starting, paused, stopped, archived}},
      {stopping, {stopping, stopped}},
      {stopped, {archived, created}},
      {archived, {created}},
  };
  return targets;
}

std::vector<JobState> all_states() {
  std::vector<JobState> states;
  for (std::size_t i = 0; i < kJobStates; ++i) states.push_back(static_cast<JobState>(i));
  return states;
}

std::vector<JobAction> all_actions() {
  std::vector<JobAction> actions;
  for (std::size_t i = 0; i < kJobActions; ++i) actions.push_back(static_cast<JobAction>(i));
  return actions;
}

TEST(JobTransitions, LeadExactlyToTheStatesOfTheContract) {
  std::map<JobState, std::set<JobState>> targets;
  for (const JobTransition& transition : kJobTransitions)
    targets[transition.from].insert(transition.to);
  EXPECT_EQ(targets, allowed_targets());
}

// With and without an unfinished run.
TEST(JobTransitions, CoverEveryPairOfStateAndActionWithATransitionOrARefusal) {
  std::size_t allowed = 0;
  std::size_t refused = 0;
  for (const JobState state : all_states())
    for (const JobAction action : all_actions())
      for (const bool has_run : {false, true}) {
        const JobTransition* transition = find_transition(state, action, has_run);
        if (transition != nullptr) {
          ++allowed;
          EXPECT_TRUE(allowed_targets().at(state).contains(transition->to));
          continue;
        }
        ++refused;
        JobStatus status;
        status.state = state;
        if (has_run) status.run = RunId{"r"};
        const std::string text = refusal("shop", status, action);
        EXPECT_THAT(text, HasSubstr(std::string(heddle::to_text(state))));
        EXPECT_THAT(text, HasSubstr("allowed: "));
      }
  EXPECT_EQ(allowed + refused, kJobStates * kJobActions * 2);
  EXPECT_EQ(allowed,
            2 * kJobTransitions.size() - 6);  // six transitions have a run condition
}

TEST(JobTransitions, TriggerOnlyJobsThatAreNotPausedRunningOrEnded) {
  using enum JobState;
  for (const JobState state : all_states()) {
    const bool is_allowed =
        state == created || state == scheduled || state == completed || state == failed;
    EXPECT_EQ(find_transition(state, JobAction::trigger, false) != nullptr, is_allowed)
        << heddle::to_text(state);
  }
}

TEST(JobTransitions, StopAPausedJobThroughItsUnfinishedRun) {
  EXPECT_EQ(find_transition(JobState::paused, JobAction::stop, true)->to, JobState::stopping);
  EXPECT_EQ(find_transition(JobState::paused, JobAction::stop, false)->to, JobState::stopped);
}

TEST(JobTransitions, StopAJobThroughACancelledRunThatIsEnding) {
  EXPECT_EQ(find_transition(JobState::scheduled, JobAction::stop, true)->to, JobState::stopping);
  EXPECT_EQ(find_transition(JobState::scheduled, JobAction::stop, false)->to, JobState::stopped);
}

TEST(JobTransitions, RefuseWithTheReasonAndThePossibleActions) {
  JobStatus status;
  status.state = JobState::paused;
  status.pause_reason = PauseReason::storage_full;
  EXPECT_EQ(refusal("shop", status, JobAction::trigger),
            "job 'shop' is paused (storage_full): cannot trigger it now; allowed: resume, stop, "
            "archive, delete");
  status = {};
  status.state = JobState::stopping;
  EXPECT_THAT(refusal("shop", status, JobAction::pause), HasSubstr("allowed: stop"));
}

TEST(JobTransitions, NameEveryActionOnce) {
  std::set<std::string_view> names;
  for (const JobAction action : all_actions()) {
    names.insert(to_text(action));
    EXPECT_EQ(job_action_from(to_text(action)), action);
  }
  EXPECT_EQ(names.size(), kJobActions);
  EXPECT_EQ(job_action_from("explode"), std::nullopt);
}

std::string reason_of(const JobTransition& transition) {
  return fmt::format("{} ({})", to_text(transition.action), transition.name);
}

template <class State>
std::string_view reason_of(const StateTransition<State>& transition) {
  return transition.name;
}

// As Mermaid reads it.
template <class State>
std::string diagram_of(State first, const auto& transitions) {
  std::string text = fmt::format("stateDiagram-v2\n  [*] --> {}\n", heddle::to_text(first));
  for (const auto& transition : transitions)
    text += fmt::format("  {} --> {}: {}\n", heddle::to_text(transition.from),
                        heddle::to_text(transition.to), reason_of(transition));
  return text;
}

TEST(LifecycleDocs, ShowTheCurrentTransitions) {
  std::ifstream in(std::string(HEDDLE_DOCS_DIR) + "/lifecycle.md", std::ios::binary);
  const std::string page((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  for (const std::string& diagram : {diagram_of(JobState::created, kJobTransitions),
                                     diagram_of(RunState::queued, kRunTransitions),
                                     diagram_of(TaskState::pending, kTaskTransitions)})
    EXPECT_TRUE(page.find("```mermaid\n" + diagram + "```") != std::string::npos)
        << "docs/lifecycle.md is out of date; it should have:\n"
        << diagram;
}

}  // namespace
}  // namespace heddle::lifecycle
