// A journal that lasts as long as this process: for runs that nobody goes on with. One event loop.
#pragma once

#include <map>

#include "store/run_journal.hpp"

namespace heddle::commands {

class MemoryJournal final : public store::RunJournal {
 public:
  Async<Status> note_process(ProcessRecord process) override;
  Async<Status> note_hook(HookRecord hook) override;
  Async<Status> note_course(RunId run, RunCourse course) override;
  Async<Result<ProgramHistory>> program_history(RunId run) override;

  // nullptr: nothing was noted of the run.
  [[nodiscard]] const ProgramHistory* find(const RunId& run) const;
  void forget(const RunId& run) { runs_.erase(run); }

 private:
  std::map<RunId, ProgramHistory> runs_;
};

}  // namespace heddle::commands
