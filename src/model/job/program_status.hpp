// Summarises the state of the programs of a run. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/run/program_run.hpp"

namespace heddle {

enum class ProgramPhase { pending, running, succeeded, failed };
std::string_view to_text(ProgramPhase phase);

// A condition of the run and the time it was reached.
struct ProgramCondition {
  std::string reason;  // a stable word: "deadline_exceeded", "hook_failed", "ready"
  std::string message;
  WallTime at{};
};

struct ProgramStatus {
  ProgramPhase phase = ProgramPhase::pending;
  int active = 0;
  int succeeded = 0;
  int failed = 0;
  std::vector<ProgramCondition> conditions{};
};

// `state`: of the run.
ProgramStatus program_status(const ProgramHistory& history, RunState state);

// When it ended. nullopt: it has not, or it died with the daemon, and the time at which the next
// one noted that says nothing.
std::optional<WallTime> known_end(const ProcessRecord& process);
std::optional<WallTime> known_end(const HookRecord& hook);

// The history when nothing works on the run any more: what is recorded as running has died.
ProgramHistory without_daemon(ProgramHistory history);

}  // namespace heddle
