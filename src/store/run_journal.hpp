// Records the processes and hooks of runs. A start is recorded before the program is spawned, so
// that recovery after a crash knows what may have run.
#pragma once

#include "base/async.hpp"
#include "base/ids.hpp"
#include "base/result.hpp"
#include "model/run/program_run.hpp"

namespace heddle::store {

// Every call is one transaction and durable when it returns, as in Store.
class RunJournal {
 public:
  virtual ~RunJournal() = default;

  // Replaces an earlier record of the same process (run, index, attempt). `not_found` for an
  // unknown run.
  virtual Async<Status> record_process(ProcessRecord process) = 0;
  // Replaces an earlier record of the same hook attempt (run, hook, attempt).
  virtual Async<Status> record_hook(HookRecord hook) = 0;
  virtual Async<Status> record_stage(RunId run, RunStageRecord stage_record) = 0;

  // Empty for an unknown run.
  virtual Async<Result<ProgramHistory>> program_history(RunId run) = 0;
};

}  // namespace heddle::store
