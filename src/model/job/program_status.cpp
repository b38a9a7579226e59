#include "model/job/program_status.hpp"

#include <algorithm>

#include "model/names.hpp"

namespace heddle {

namespace {

constexpr NameTable<ProgramPhase, 4> kPhases{{{ProgramPhase::pending, "pending"},
                                              {ProgramPhase::running, "running"},
                                              {ProgramPhase::succeeded, "succeeded"},
                                              {ProgramPhase::failed, "failed"}}};

ProgramPhase phase_of(const ProgramHistory& history, RunState state) {
  if (state == RunState::completed || state == RunState::limited) return ProgramPhase::succeeded;
  if (is_terminal(state)) return ProgramPhase::failed;
  const bool has_begun = history.stage_record && history.stage_record->stage != RunStage::preparing;
  return has_begun ? ProgramPhase::running : ProgramPhase::pending;
}

WallTime last_end(const ProgramHistory& history) {
  WallTime last{};
  for (const ProcessRecord& process : history.processes)
    last = std::max(last, process.ended_at.value_or(process.started_at));
  for (const HookRecord& hook : history.hooks)
    last = std::max(last, hook.ended_at.value_or(hook.started_at));
  return last;
}

// `may_be_unseen`: such records may have been ended by the next daemon.
std::optional<WallTime> seen_end(const ProgramExit& exit, bool may_be_unseen,
                                 std::optional<WallTime> ended_at) {
  const bool was_seen = exit.code || exit.signal || !may_be_unseen;
  return was_seen ? ended_at : std::nullopt;
}

}  // namespace

std::optional<WallTime> known_end(const ProcessRecord& process) {
  const bool may_be_unseen =
      process.state == ProcessState::interrupted || process.state == ProcessState::stopped;
  return seen_end(process.exit, may_be_unseen, process.ended_at);
}

std::optional<WallTime> known_end(const HookRecord& hook) {
  const bool may_be_unseen =
      hook.state == HookState::interrupted || hook.state == HookState::stopped;
  return seen_end(hook.exit, may_be_unseen, hook.ended_at);
}

ProgramHistory without_daemon(ProgramHistory history) {
  for (ProcessRecord& process : history.processes) {
    if (process.state != ProcessState::running) continue;
    process.state = ProcessState::interrupted;
    process.is_ready = false;
  }
  for (HookRecord& hook : history.hooks)
    if (hook.state == HookState::starting || hook.state == HookState::running)
      hook.state = HookState::interrupted;
  return history;
}

std::string_view to_text(ProgramPhase phase) {
  return name_of(kPhases, phase);
}

ProgramStatus program_status(const ProgramHistory& history, RunState state) {
  ProgramStatus status;
  status.phase = phase_of(history, state);
  for (const ProcessRecord& process : history.processes) {
    const bool has_failed =
        process.state == ProcessState::failed || process.state == ProcessState::interrupted;
    status.active += process.state == ProcessState::running ? 1 : 0;
    status.succeeded += process.state == ProcessState::succeeded ? 1 : 0;
    status.failed += has_failed ? 1 : 0;
    if (process.state == ProcessState::running && process.is_ready)
      status.conditions.push_back({"ready", "", process.started_at});
  }
  if (history.stage_record && history.stage_record->outcome &&
      history.stage_record->outcome->reason != ErrorKind::none)
    status.conditions.push_back({std::string(to_text(history.stage_record->outcome->reason)),
                                 history.stage_record->outcome->message, last_end(history)});
  return status;
}

}  // namespace heddle
