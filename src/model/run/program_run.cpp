#include "model/run/program_run.hpp"

#include <string.h>

#include "model/names.hpp"

namespace heddle {

namespace {

constexpr NameTable<ProcessState, 5> kProcessStates{{{ProcessState::running, "running"},
                                                     {ProcessState::succeeded, "succeeded"},
                                                     {ProcessState::failed, "failed"},
                                                     {ProcessState::stopped, "stopped"},
                                                     {ProcessState::interrupted, "interrupted"}}};

constexpr NameTable<HookState, 7> kHookStates{{{HookState::starting, "starting"},
                                               {HookState::running, "running"},
                                               {HookState::succeeded, "succeeded"},
                                               {HookState::failed, "failed"},
                                               {HookState::timed_out, "timed_out"},
                                               {HookState::stopped, "stopped"},
                                               {HookState::interrupted, "interrupted"}}};

constexpr NameTable<RunStage, 3> kStages{{{RunStage::preparing, "preparing"},
                                          {RunStage::working, "working"},
                                          {RunStage::finishing, "winding_up"}}};

}  // namespace

std::string_view to_text(ProcessState state) {
  return name_of(kProcessStates, state);
}
std::optional<ProcessState> process_state_from(std::string_view text) {
  return value_of(kProcessStates, text);
}

std::string_view to_text(HookState state) {
  return name_of(kHookStates, state);
}
std::optional<HookState> hook_state_from(std::string_view text) {
  return value_of(kHookStates, text);
}

std::string_view to_text(RunStage stage) {
  return name_of(kStages, stage);
}
std::optional<RunStage> run_stage_from(std::string_view text) {
  return value_of(kStages, text);
}

std::string describe(const ProgramExit& exit) {
  if (exit.code) return "exit code " + std::to_string(*exit.code);
  if (!exit.signal) return "not started";
  const char* name = sigdescr_np(*exit.signal);
  return "killed by signal " + std::to_string(*exit.signal) +
         (name == nullptr ? std::string() : " (" + std::string(name) + ")");
}

}  // namespace heddle
