#include "lifecycle/job_transitions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

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
                                                      {JobAction::finish_stop, "finish_stop"}}};

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

std::vector<std::string> allowed_actions(const JobStatus& status) {
  std::vector<std::string> names;
  for (const auto& [action, name] : kActions)
    if (is_user_action(action) && is_allowed(status, action)) names.emplace_back(name);
  if (may_be_deleted(status)) names.emplace_back(kDeleteAction);
  return names;
}

std::string refusal(std::string_view job, const JobStatus& status, JobAction action) {
  return refusal(job, status, to_text(action));
}

std::string refusal(std::string_view job, const JobStatus& status, std::string_view action) {
  std::string state(to_text(status.state));
  if (status.pause_reason) state += fmt::format(" ({})", to_text(*status.pause_reason));
  const auto allowed = allowed_actions(status);
  return fmt::format("job '{}' is {}: cannot {} it now; {}", job, state, action,
                     allowed.empty() ? "no action is allowed until its run has ended"
                                     : fmt::format("allowed: {}", fmt::join(allowed, ", ")));
}

Error not_configured(const JobId& job) {
  return {ErrorCode::conflict,
          fmt::format("job '{}' is missing from the configuration or has errors there: it cannot "
                      "run until that is fixed; allowed: pause, stop, archive, delete, show",
                      job.text)};
}

}  // namespace heddle::lifecycle
