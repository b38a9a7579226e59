#include "lifecycle/job_transitions.hpp"

#include <fmt/format.h>

#include "model/names.hpp"

namespace heddle::lifecycle {

namespace {

constexpr NameTable<JobAction, kJobActions> kActions{{{JobAction::trigger, "trigger"},
                                                      {JobAction::pause, "pause"},
                                                      {JobAction::resume, "resume"},
                                                      {JobAction::cancel, "cancel"},
                                                      {JobAction::stop, "stop"},
                                                      {JobAction::archive, "archive"},
                                                      {JobAction::start, "start"},
                                                      {JobAction::enable, "enable"},
                                                      {JobAction::disable, "disable"},
                                                      {JobAction::reschedule, "reschedule"},
                                                      {JobAction::begin, "begin"},
                                                      {JobAction::complete, "complete"},
                                                      {JobAction::fail, "fail"},
                                                      {JobAction::finish_stop, "wind_up"}}};

std::string possible_actions(const JobStatus& status) {
  std::string names;
  for (const auto& [action, name] : kActions) {
    if (!is_user_action(action) ||
        find_transition(status.state, action, status.run.has_value()) == nullptr)
      continue;
    if (!names.empty()) names += ", ";
    names += name;
  }
  if (may_be_deleted(status)) names += (names.empty() ? "" : ", ") + std::string(kDeleteAction);
  return names.empty() ? "nothing until that is over" : names;
}

}  // namespace

std::string_view to_text(JobAction action) {
  return name_of(kActions, action);
}

std::optional<JobAction> job_action_from(std::string_view text) {
  return value_of(kActions, text);
}

bool may_be_deleted(const JobStatus& status) {
  using enum JobState;
  const bool is_at_work =
      status.state == starting || status.state == running || status.state == stopping;
  return !is_at_work && !status.run;
}

std::string refusal(std::string_view job, const JobStatus& status, JobAction action) {
  return refusal(job, status, to_text(action));
}

std::string refusal(std::string_view job, const JobStatus& status, std::string_view action) {
  std::string state(to_text(status.state));
  if (status.pause_reason) state += fmt::format(" ({})", to_text(*status.pause_reason));
  return fmt::format("job '{}' is {}: `{}` is not possible; possible: {}", job, state, action,
                     possible_actions(status));
}

std::string render_job_diagram() {
  std::string text = "stateDiagram-v2\n  [*] --> created\n";
  for (const JobTransition& transition : kJobTransitions)
    text +=
        fmt::format("  {} --> {}: {} ({})\n", heddle::to_text(transition.from),
                    heddle::to_text(transition.to), to_text(transition.action), transition.name);
  return text;
}

}  // namespace heddle::lifecycle
