#include "model/run/run.hpp"

#include <utility>

#include "model/names.hpp"

namespace heddle {

namespace {

constexpr NameTable<RunState, 9> kRunStates{{{RunState::queued, "queued"},
                                             {RunState::starting, "starting"},
                                             {RunState::in_progress, "in_progress"},
                                             {RunState::paused, "paused"},
                                             {RunState::completed, "completed"},
                                             {RunState::failed, "failed"},
                                             {RunState::stopped, "stopped"},
                                             {RunState::cancelled, "cancelled"},
                                             {RunState::limited, "limited"}}};

constexpr NameTable<RunTrigger, 7> kRunTriggers{{{RunTrigger::manual, "manual"},
                                                 {RunTrigger::time, "time"},
                                                 {RunTrigger::retry, "retry"},
                                                 {RunTrigger::after, "after"},
                                                 {RunTrigger::restart, "restart"},
                                                 {RunTrigger::resume, "resume"},
                                                 {RunTrigger::dead_letter, "dead_letter"}}};

constexpr NameTable<TaskState, 6> kTaskStates{{{TaskState::pending, "pending"},
                                               {TaskState::processing, "processing"},
                                               {TaskState::retry, "retry"},
                                               {TaskState::done, "done"},
                                               {TaskState::skipped, "skipped"},
                                               {TaskState::dead, "dead"}}};

}  // namespace

std::string_view to_text(RunState state) {
  return name_of(kRunStates, state);
}
std::optional<RunState> run_state_from(std::string_view text) {
  return value_of(kRunStates, text);
}

bool is_terminal(RunState state) {
  return state >= RunState::completed;
}

std::string_view to_text(RunTrigger trigger) {
  return name_of(kRunTriggers, trigger);
}
std::optional<RunTrigger> run_trigger_from(std::string_view text) {
  return value_of(kRunTriggers, text);
}

std::string_view to_text(TaskState state) {
  return name_of(kTaskStates, state);
}
std::optional<TaskState> task_state_from(std::string_view text) {
  return value_of(kTaskStates, text);
}

RunError store_error(Error error) {
  const bool may_come_back = error.code == ErrorCode::unavailable;
  return {may_come_back ? ErrorKind::store_unavailable : ErrorKind::store, std::move(error.message),
          ""};
}

}  // namespace heddle
