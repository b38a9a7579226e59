// The transition tables of runs and tasks: one row per allowed transition.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "model/run/run.hpp"

namespace heddle::lifecycle {

template <class State>
struct StateTransition {
  State from;
  State to;
  std::string_view name;
};

inline constexpr auto kRunTransitions = [] {
  using enum RunState;
  return std::to_array<StateTransition<RunState>>({
      {queued, starting, "a place is free"},
      {queued, cancelled, "cancelled before it started"},
      {queued, stopped, "job stopped before it started"},
      {starting, in_progress, "a worker has it"},
      {starting, failed, "could not be started"},
      {starting, cancelled, "cancelled while it started"},
      {starting, stopped, "job stopped while it started"},
      {in_progress, paused, "paused"},
      {in_progress, completed, "all pages processed"},
      {in_progress, failed, "too many pages failed, or the run itself"},
      {in_progress, limited, "a limit was reached"},
      {in_progress, cancelled, "cancelled"},
      {in_progress, stopped, "job stopped"},
      {paused, in_progress, "goes on with its pending pages"},
      {paused, cancelled, "cancelled while paused"},
      {paused, stopped, "job stopped while paused"},
      {paused, failed, "cannot go on"},
  });
}();

inline constexpr auto kTaskTransitions = [] {
  using enum TaskState;
  return std::to_array<StateTransition<TaskState>>({
      {pending, processing, "leased"},
      {processing, done, "stored"},
      {processing, skipped, "left out by a script"},
      {processing, retry, "worth another try"},
      {processing, dead, "given up"},
      {processing, pending, "its worker died"},
      {retry, processing, "the wait is over"},
  });
}();

template <class State, std::size_t N>
constexpr bool can_transition(const std::array<StateTransition<State>, N>& transitions, State from,
                              State to) {
  for (const auto& transition : transitions)
    if (transition.from == from && transition.to == to) return true;
  return false;
}

constexpr bool can_transition(RunState from, RunState to) {
  return can_transition(kRunTransitions, from, to);
}
constexpr bool can_transition(TaskState from, TaskState to) {
  return can_transition(kTaskTransitions, from, to);
}

std::string render_run_diagram();
std::string render_task_diagram();

template <class State, std::size_t N>
constexpr bool terminal_states_have_no_exit(
    const std::array<StateTransition<State>, N>& transitions, State first_terminal) {
  for (const auto& transition : transitions)
    if (transition.from >= first_terminal) return false;
  return true;
}
static_assert(terminal_states_have_no_exit(kRunTransitions, RunState::completed));
static_assert(terminal_states_have_no_exit(kTaskTransitions, TaskState::done));

template <class State, std::size_t N>
constexpr bool transitions_are_unique(const std::array<StateTransition<State>, N>& transitions) {
  for (std::size_t a = 0; a < N; ++a)
    for (std::size_t b = a + 1; b < N; ++b)
      if (transitions[a].from == transitions[b].from && transitions[a].to == transitions[b].to)
        return false;
  return true;
}
static_assert(transitions_are_unique(kRunTransitions) && transitions_are_unique(kTaskTransitions));

}  // namespace heddle::lifecycle
