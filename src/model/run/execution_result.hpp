// How the execution of a run ended, and how one is halted. Plain values.
#pragma once

#include <vector>

#include "model/run/page_report.hpp"
#include "model/run/program_run.hpp"
#include "model/run/run.hpp"

namespace heddle {

// Why an execution ends before its work is done; a later one overrides an earlier one.
enum class Halt {
  pause,      // the run is resumed on request
  cancel,     // the run ends, the job keeps its schedule
  stop,       // the run and the job end
  force,      // a stop that waits for nothing in progress
  shut_down,  // the daemon exits: the next one resumes the run
};

enum class ExecutionEnd {
  finished,  // the only end of the run itself
  paused,
  interrupted,        // by a shutdown of worker or coordinator: the next one resumes the run
  unreadable,         // the job cannot be read: its files may be being edited
  script_unreadable,  // the same for its script
  store_unavailable,  // the run is resumed when the store is writable
};

struct ExecutionResult {
  ExecutionEnd end = ExecutionEnd::finished;
  RunOutcome outcome{};            // of a finished run
  std::vector<RunError> errors{};  // besides those of its pages; says why unless it is finished
  StageCosts costs{};
  bool is_quarantined = false;  // finished, and the job must not start again by itself
  Run run{};                    // as it is stored now; a worker leaves it empty

  [[nodiscard]] bool is_finished() const { return end == ExecutionEnd::finished; }
  // The run waits in the store to be resumed by this daemon.
  [[nodiscard]] bool is_suspended() const {
    return end == ExecutionEnd::paused || end == ExecutionEnd::unreadable;
  }
};

inline RunState halted_state(Halt how) {
  return how == Halt::cancel ? RunState::cancelled : RunState::stopped;
}

}  // namespace heddle
