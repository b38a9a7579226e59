// The life of a job: one row per allowed transition, and nothing else decides what is allowed.
// Commands, their refusals, the diagram in the docs and the exhaustive test all come from here.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "model/job_life.hpp"

namespace heddle::lifecycle {

enum class JobAction {
  // What people ask for.
  trigger,
  pause,
  resume,
  cancel,
  stop,
  archive,
  start,
  // What the configuration and the clock bring.
  enable,      // the job is to run by itself, or waits for a trigger
  disable,     // `enabled = false`
  reschedule,  // after a run: the next one is planned
  // What becomes of a run.
  begin,     // its pages are being worked on
  complete,  // or reached a limit: that counts as completed
  fail,
  wind_up,  // of a stopping job: everything has ended
};
inline constexpr std::size_t kJobActions = 14;
inline constexpr std::size_t kJobStates = 10;

std::string_view to_text(JobAction action);
std::optional<JobAction> job_action_from(std::string_view text);

// Whether a row is for jobs that have an unfinished run: a paused job may have one or not.
enum class RunCondition { any, with_run, without_run };

struct JobRow {
  JobState from;
  JobAction action;
  JobState to;
  std::string_view name;
  RunCondition run = RunCondition::any;
};

inline constexpr auto kJobRows = [] {
  using enum JobState;
  using A = JobAction;
  using R = RunCondition;
  return std::to_array<JobRow>({
      {created, A::enable, scheduled, "planned"},
      {created, A::trigger, starting, "triggered before it was planned"},
      {created, A::stop, stopped, "stopped before it ever ran"},
      {created, A::archive, archived, "put away before it ever ran"},

      {scheduled, A::trigger, starting, "due or triggered"},
      {scheduled, A::pause, paused, "paused between runs"},
      {scheduled, A::disable, created, "disabled"},
      {scheduled, A::stop, stopped, "stopped between runs", R::without_run},
      {scheduled, A::stop, stopping, "stopped while a cancelled run ends", R::with_run},
      {scheduled, A::archive, archived, "put away between runs"},

      {starting, A::begin, running, "work begins"},
      {starting, A::fail, failed, "could not be started"},
      {starting, A::pause, paused, "paused while it was prepared", R::with_run},
      {starting, A::stop, stopping, "stopped while it started"},
      {starting, A::cancel, scheduled, "run cancelled while it started"},

      {running, A::complete, completed, "all pages processed"},
      {running, A::fail, failed, "run ended by an error"},
      {running, A::pause, paused, "paused within a run"},
      {running, A::stop, stopping, "stopped within a run"},
      {running, A::cancel, scheduled, "run cancelled"},

      {paused, A::resume, scheduled, "goes on"},
      {paused, A::cancel, scheduled, "paused run cancelled", R::with_run},
      {paused, A::stop, stopping, "stopped with an unfinished run", R::with_run},
      {paused, A::stop, stopped, "stopped while paused", R::without_run},
      {paused, A::archive, archived, "put away while paused"},

      {completed, A::reschedule, scheduled, "next run planned"},
      {completed, A::trigger, starting, "triggered again"},
      {completed, A::stop, stopped, "stopped after a run"},
      {completed, A::archive, archived, "put away after a run"},

      {failed, A::reschedule, scheduled, "next run or retry planned"},
      {failed, A::trigger, starting, "triggered after a failure"},
      {failed, A::pause, paused, "paused after a failure"},
      {failed, A::stop, stopped, "stopped after a failure"},
      {failed, A::archive, archived, "put away after a failure"},

      {stopping, A::stop, stopping, "not waited for any longer"},
      {stopping, A::wind_up, stopped, "everything has ended"},

      {stopped, A::archive, archived, "put away for good"},
      {stopped, A::start, created, "a new life"},

      {archived, A::start, created, "a new life out of the archive"},
  });
}();

constexpr bool applies(const JobRow& row, JobState from, bool has_run) {
  if (row.from != from) return false;
  if (row.run == RunCondition::with_run) return has_run;
  if (row.run == RunCondition::without_run) return !has_run;
  return true;
}

// nullptr: refused.
constexpr const JobRow* find_row(JobState from, JobAction action, bool has_run) {
  for (const JobRow& row : kJobRows)
    if (row.action == action && applies(row, from, has_run)) return &row;
  return nullptr;
}

constexpr bool is_asked_by_people(JobAction action) {
  return action <= JobAction::start;
}

// Deleting is no step in a job's life but its end: possible whenever no run would be cut off.
inline constexpr std::string_view kDeleteWord = "delete";
bool may_be_deleted(const JobLife& life);

// "job 'shop' is paused (user): cannot be triggered; possible: resume, stop, archive, delete".
std::string refusal(std::string_view job, const JobLife& life, JobAction action);
std::string refusal(std::string_view job, const JobLife& life, std::string_view action);

// The states and rows as a Mermaid diagram.
std::string draw_job_table();

constexpr bool no_row_hides_another() {
  for (std::size_t a = 0; a < kJobRows.size(); ++a)
    for (std::size_t b = a + 1; b < kJobRows.size(); ++b)
      for (const bool has_run : {false, true})
        if (kJobRows[a].action == kJobRows[b].action &&
            applies(kJobRows[a], kJobRows[a].from, has_run) &&
            applies(kJobRows[b], kJobRows[a].from, has_run))
          return false;
  return true;
}
static_assert(no_row_hides_another());

// From every state every other one can be reached: nothing is a dead end, nothing is out of reach.
constexpr bool is_connected() {
  for (std::size_t start = 0; start < kJobStates; ++start) {
    std::array<bool, kJobStates> reached{};
    reached[start] = true;
    for (std::size_t round = 0; round < kJobStates; ++round)
      for (const JobRow& row : kJobRows)
        if (reached[static_cast<std::size_t>(row.from)])
          reached[static_cast<std::size_t>(row.to)] = true;
    for (const bool is_reached : reached)
      if (!is_reached) return false;
  }
  return true;
}
static_assert(is_connected());

}  // namespace heddle::lifecycle
