#include "lifecycle/job_table.hpp"

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
                                                      {JobAction::wind_up, "wind_up"}}};

std::string possible_actions(const JobLife& life) {
  std::string names;
  for (const auto& [action, name] : kActions) {
    if (!is_asked_by_people(action) ||
        find_row(life.state, action, life.run.has_value()) == nullptr)
      continue;
    if (!names.empty()) names += ", ";
    names += name;
  }
  if (may_be_deleted(life)) names += (names.empty() ? "" : ", ") + std::string(kDeleteWord);
  return names.empty() ? "nothing until that is over" : names;
}

}  // namespace

std::string_view to_text(JobAction action) {
  return name_of(kActions, action);
}

std::optional<JobAction> job_action_from(std::string_view text) {
  return value_of(kActions, text);
}

bool may_be_deleted(const JobLife& life) {
  using enum JobState;
  const bool is_at_work = life.state == starting || life.state == running || life.state == stopping;
  return !is_at_work && !life.run;
}

std::string refusal(std::string_view job, const JobLife& life, JobAction action) {
  return refusal(job, life, to_text(action));
}

std::string refusal(std::string_view job, const JobLife& life, std::string_view action) {
  std::string state(to_text(life.state));
  if (life.pause_reason) state += fmt::format(" ({})", to_text(*life.pause_reason));
  return fmt::format("job '{}' is {}: `{}` is not possible; possible: {}", job, state, action,
                     possible_actions(life));
}

std::string draw_job_table() {
  std::string text = "stateDiagram-v2\n  [*] --> created\n";
  for (const JobRow& row : kJobRows)
    text += fmt::format("  {} --> {}: {} ({})\n", heddle::to_text(row.from),
                        heddle::to_text(row.to), to_text(row.action), row.name);
  return text;
}

}  // namespace heddle::lifecycle
