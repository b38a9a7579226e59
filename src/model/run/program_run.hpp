// The persistent record of the programs of a run: its processes, hooks and stage. Enough to resume
// after a crash. Plain values.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.hpp"
#include "base/time.hpp"
#include "model/job/program.hpp"
#include "model/run/run.hpp"

namespace heddle {

enum class ProcessState {
  running,  // or about to be started
  succeeded,
  failed,
  stopped,      // ended by the daemon on request
  interrupted,  // killed with the daemon
};
std::string_view to_text(ProcessState state);
std::optional<ProcessState> process_state_from(std::string_view text);

// How a program ended: one of the two is set, neither when it was not started.
struct ProgramExit {
  std::optional<int> code{};
  std::optional<int> signal{};
  bool operator==(const ProgramExit&) const = default;
};
// "exit code 3", "killed by signal 9 (Killed)", "not started".
std::string describe(const ProgramExit& exit);

// One process of a command or service.
struct ProcessRecord {
  RunId run;
  int index = 0;
  int attempt = 1;  // of this index
  ProcessState state = ProcessState::running;
  std::int64_t pid = 0;
  WallTime started_at{};
  std::optional<WallTime> ended_at{};
  ProgramExit exit{};
  std::int64_t peak_memory_bytes = 0;
  std::chrono::milliseconds cpu_time{0};
  bool is_ready = false;  // of a service
  std::string problem{};  // why it could not be started, or was killed

  bool operator==(const ProcessRecord&) const = default;
};

enum class HookState {
  starting,  // about to be started
  running,
  succeeded,
  failed,
  timed_out,
  stopped,
  interrupted,  // ended with the daemon
};
std::string_view to_text(HookState state);
std::optional<HookState> hook_state_from(std::string_view text);

// One attempt at a hook.
struct HookRecord {
  RunId run;
  HookPhase phase = HookPhase::pre_start;
  std::string hook;
  int attempt = 1;
  HookState state = HookState::starting;
  WallTime started_at{};
  std::optional<WallTime> ended_at{};
  ProgramExit exit{};
  std::string output{};  // the tail of both streams

  bool operator==(const HookRecord&) const = default;
};

enum class RunStage {
  preparing,  // pre_start hooks
  working,    // the work itself; post_start and pre_stop hooks
  finishing,  // the outcome is known; post_stop hooks
};
std::string_view to_text(RunStage stage);
std::optional<RunStage> run_stage_from(std::string_view text);

// How the work of a run ended; passed to post_stop hooks.
struct RunOutcome {
  RunState state = RunState::completed;
  ProgramExit exit{};
  ErrorKind reason = ErrorKind::none;
  std::string message{};       // for people
  bool never_started = false;  // its pre_start hooks did not complete

  bool operator==(const RunOutcome&) const = default;
};

struct RunStageRecord {
  RunStage stage = RunStage::preparing;
  std::optional<RunOutcome> outcome{};  // set in stage `finishing`

  bool operator==(const RunStageRecord&) const = default;
};

// All stored records of the programs of one run.
struct ProgramHistory {
  std::optional<RunStageRecord> stage_record{};  // nullopt: a new run, or one without programs
  std::vector<ProcessRecord> processes{};        // in the order of their starts
  std::vector<HookRecord> hooks{};               // likewise
};

}  // namespace heddle
