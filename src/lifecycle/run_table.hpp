// The life of a run and of a page's task: one row per allowed transition.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "model/run.hpp"

namespace heddle::lifecycle {

template <class State>
struct StateRow {
  State from;
  State to;
  std::string_view name;
};

inline constexpr auto kRunRows = [] {
  using enum RunState;
  return std::to_array<StateRow<RunState>>({
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

inline constexpr auto kTaskRows = [] {
  using enum TaskState;
  return std::to_array<StateRow<TaskState>>({
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
constexpr bool may_go(const std::array<StateRow<State>, N>& rows, State from, State to) {
  for (const auto& row : rows)
    if (row.from == from && row.to == to) return true;
  return false;
}

constexpr bool may_go(RunState from, RunState to) {
  return may_go(kRunRows, from, to);
}
constexpr bool may_go(TaskState from, TaskState to) {
  return may_go(kTaskRows, from, to);
}

std::string draw_run_table();
std::string draw_task_table();

template <class State, std::size_t N>
constexpr bool ends_stay(const std::array<StateRow<State>, N>& rows, State first_end) {
  for (const auto& row : rows)
    if (row.from >= first_end) return false;
  return true;
}
static_assert(ends_stay(kRunRows, RunState::completed));
static_assert(ends_stay(kTaskRows, TaskState::done));

template <class State, std::size_t N>
constexpr bool each_row_is_once(const std::array<StateRow<State>, N>& rows) {
  for (std::size_t a = 0; a < N; ++a)
    for (std::size_t b = a + 1; b < N; ++b)
      if (rows[a].from == rows[b].from && rows[a].to == rows[b].to) return false;
  return true;
}
static_assert(each_row_is_once(kRunRows) && each_row_is_once(kTaskRows));

}  // namespace heddle::lifecycle
