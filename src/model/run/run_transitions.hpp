// The transition tables of runs and tasks: one row per allowed transition. The store applies them
// to every step it writes.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "model/run/run.hpp"

namespace heddle {

template <class State>
struct StateTransition {
  State from;
  State to;
  std::string_view name;
};

inline constexpr auto kRunTransitions = [] {
  using enum RunState;
  return std::to_array<StateTransition<RunState>>({
      {queued, starting, "a slot is free"},
      {queued, cancelled, "cancelled before it started"},
      {queued, stopped, "job stopped before it started"},
      {starting, in_progress, "assigned to a worker"},
      {starting, failed, "could not be started"},
      {starting, cancelled, "cancelled while it started"},
      {starting, stopped, "job stopped while it started"},
      {in_progress, paused, "paused"},
      {in_progress, completed, "all pages processed"},
      {in_progress, failed, "too many pages failed, or the run itself"},
      {in_progress, limited, "a limit was reached"},
      {in_progress, cancelled, "cancelled"},
      {in_progress, stopped, "job stopped"},
      {paused, in_progress, "resumes its pending pages"},
      {paused, completed, "its last pages were processed"},
      {paused, limited, "a limit was reached by its last pages"},
      {paused, cancelled, "cancelled while paused"},
      {paused, stopped, "job stopped while paused"},
      {paused, failed, "cannot be resumed"},
  });
}();

inline constexpr auto kTaskTransitions = [] {
  using enum TaskState;
  return std::to_array<StateTransition<TaskState>>({
      {pending, processing, "leased"},
      {processing, done, "stored"},
      {processing, skipped, "skipped by a script"},
      {processing, retry, "to be retried"},
      {processing, dead, "failed for good"},
      {processing, pending, "its worker died"},
      {retry, pending, "the retry is due"},
  });
}();

template <class State, std::size_t N>
constexpr bool can_transition(const std::array<StateTransition<State>, N>& transitions, State from,
                              State to) {
  return std::any_of(transitions.begin(), transitions.end(), [&](const auto& transition) {
    return transition.from == from && transition.to == to;
  });
}

constexpr bool can_transition(RunState from, RunState to) {
  return can_transition(kRunTransitions, from, to);
}

constexpr bool can_transition(TaskState from, TaskState to) {
  return can_transition(kTaskTransitions, from, to);
}

}  // namespace heddle
