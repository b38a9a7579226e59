// The transition table of jobs: one row per allowed transition, and nothing else decides what is
// allowed. Commands, their refusals, the diagram in the docs and the exhaustive test all use it.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/job/job_status.hpp"

namespace heddle::lifecycle {

enum class JobAction {
  // Requested by users.
  trigger,
  pause,
  resume,
  cancel,
  stop,
  archive,
  start,
  // Caused by the configuration and the clock.
  enable,      // scheduled, or waiting for a trigger
  disable,     // `enabled = false`
  reschedule,  // after a run: the next one is scheduled
  // Caused by a run.
  begin,     // its work begins
  complete,  // also when a limit was reached
  fail,
  finish_stop,  // a stopping job has ended everything
};
inline constexpr std::size_t kJobActions = 14;

std::string_view to_text(JobAction action);
std::optional<JobAction> job_action_from(std::string_view text);

// Whether a transition is for jobs with an unfinished run: a paused job may have one or not.
enum class RunCondition { any, with_run, without_run };

struct JobTransition {
  JobState from;
  JobAction action;
  JobState to;
  std::string_view name;
  RunCondition run = RunCondition::any;
};

inline constexpr auto kJobTransitions = [] {
  using enum JobState;
  using A = JobAction;
  using R = RunCondition;
  return std::to_array<JobTransition>({
      {created, A::enable, scheduled, "planned"},
      {created, A::trigger, starting, "triggered before it was planned"},
      {created, A::stop, stopped, "stopped before its first run"},
      {created, A::archive, archived, "archived before its first run"},

      {scheduled, A::trigger, starting, "due or triggered"},
      {scheduled, A::pause, paused, "paused between runs"},
      {scheduled, A::disable, created, "disabled"},
      {scheduled, A::stop, stopped, "stopped between runs", R::without_run},
      {scheduled, A::stop, stopping, "stopped while a cancelled run ends", R::with_run},
      {scheduled, A::archive, archived, "archived between runs"},

      {starting, A::begin, running, "work starts"},
      {starting, A::fail, failed, "could not be started"},
      {starting, A::pause, paused, "paused while it was prepared", R::with_run},
      {starting, A::stop, stopping, "stopped while it started"},
      {starting, A::cancel, scheduled, "run cancelled while it started"},

      {running, A::complete, completed, "all pages processed"},
      {running, A::fail, failed, "run ended by an error"},
      {running, A::pause, paused, "paused within a run"},
      {running, A::stop, stopping, "stopped within a run"},
      {running, A::cancel, scheduled, "run cancelled"},

      {paused, A::resume, scheduled, "resumed"},
      {paused, A::cancel, scheduled, "paused run cancelled", R::with_run},
      {paused, A::stop, stopping, "stopped with an unfinished run", R::with_run},
      {paused, A::stop, stopped, "stopped while paused", R::without_run},
      {paused, A::archive, archived, "archived while paused"},

      {completed, A::reschedule, scheduled, "next run planned"},
      {completed, A::trigger, starting, "triggered again"},
      {completed, A::stop, stopped, "stopped after a run"},
      {completed, A::archive, archived, "archived after a run"},

      {failed, A::reschedule, scheduled, "next run or retry planned"},
      {failed, A::trigger, starting, "triggered after a failure"},
      {failed, A::pause, paused, "paused after a failure"},
      {failed, A::stop, stopped, "stopped after a failure"},
      {failed, A::archive, archived, "archived after a failure"},

      {stopping, A::stop, stopping, "stopped without waiting"},
      {stopping, A::finish_stop, stopped, "everything has ended"},

      {stopped, A::archive, archived, "archived"},
      {stopped, A::start, created, "started again"},

      {archived, A::start, created, "started again from the archive"},
  });
}();

constexpr bool applies(const JobTransition& transition, JobState from, bool has_run) {
  if (transition.from != from) return false;
  if (transition.run == RunCondition::with_run) return has_run;
  if (transition.run == RunCondition::without_run) return !has_run;
  return true;
}

// nullptr: not allowed.
constexpr const JobTransition* find_transition(JobState from, JobAction action, bool has_run) {
  for (const JobTransition& transition : kJobTransitions)
    if (transition.action == action && applies(transition, from, has_run)) return &transition;
  return nullptr;
}

inline bool is_allowed(const JobStatus& status, JobAction action) {
  return find_transition(status.state, action, status.run.has_value()) != nullptr;
}

constexpr bool is_user_action(JobAction action) {
  return action <= JobAction::start;
}

// Deletion is not a transition: it is possible whenever the job has no unfinished run.
inline constexpr std::string_view kDeleteAction = "delete";
bool may_be_deleted(const JobStatus& status);

// The names of the actions a user may request now.
std::vector<std::string> allowed_actions(const JobStatus& status);

// "job 'shop' is paused (user): cannot trigger it now; allowed: resume, stop, archive, delete".
std::string refusal(std::string_view job, const JobStatus& status, JobAction action);
std::string refusal(std::string_view job, const JobStatus& status, std::string_view action);

// Whether a job in this state is already as the action would leave it: asking again is no error.
constexpr bool is_in_effect(JobAction action, JobState state) {
  using enum JobState;
  switch (action) {
    case JobAction::pause:
      return state == paused;
    case JobAction::stop:
      return state == stopped;
    case JobAction::archive:
      return state == archived;
    case JobAction::start:
    case JobAction::resume:
      return state == created || state == scheduled || state == starting || state == running ||
             state == completed || state == failed;
    default:
      return false;
  }
}

// Whether the action needs a valid configuration.
constexpr bool needs_configuration(JobAction action) {
  return action == JobAction::trigger || action == JobAction::resume;
}
// Why such an action on a job without one is refused, and which ones are possible.
Error not_configured(const JobId& job);

constexpr bool transitions_are_unambiguous() {
  for (std::size_t a = 0; a < kJobTransitions.size(); ++a)
    for (std::size_t b = a + 1; b < kJobTransitions.size(); ++b)
      for (const bool has_run : {false, true})
        if (kJobTransitions[a].action == kJobTransitions[b].action &&
            applies(kJobTransitions[a], kJobTransitions[a].from, has_run) &&
            applies(kJobTransitions[b], kJobTransitions[a].from, has_run))
          return false;
  return true;
}
static_assert(transitions_are_unambiguous());

}  // namespace heddle::lifecycle
