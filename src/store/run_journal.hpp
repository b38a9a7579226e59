// What becomes of the programs of runs, written down as it happens: a start before the program is
// spawned, so that whoever comes after a crash knows what may have run.
#pragma once

#include "base/async.hpp"
#include "base/ids.hpp"
#include "base/result.hpp"
#include "model/program_run.hpp"

namespace heddle::store {

// As in Store: every call is one transaction, durable when it returns.
class RunJournal {
 public:
  virtual ~RunJournal() = default;

  // The same process (run, index, attempt) again replaces what was said of it. `not_found` when
  // there is no such run.
  virtual Async<Status> note_process(ProcessRecord process) = 0;
  // The same try of a hook (run, hook, attempt) likewise.
  virtual Async<Status> note_hook(HookRecord hook) = 0;
  virtual Async<Status> note_course(RunId run, RunCourse course) = 0;

  // Nothing for a run that is not known.
  virtual Async<Result<ProgramHistory>> program_history(RunId run) = 0;
};

}  // namespace heddle::store
