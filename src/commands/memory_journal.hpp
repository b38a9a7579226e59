// Keeps the journal in memory, for runs that are never resumed. One event loop.
#pragma once

#include <map>

#include "store/run_journal.hpp"

namespace heddle::commands {

class MemoryJournal final : public store::RunJournal {
 public:
  Async<Status> record_process(ProcessRecord process) override;
  Async<Status> record_hook(HookRecord hook) override;
  Async<Status> record_stage(RunId run, RunStageRecord record) override;
  Async<Result<ProgramHistory>> program_history(RunId run) override;

  // nullptr: the run has no records.
  [[nodiscard]] const ProgramHistory* find(const RunId& run) const;
  void remove(const RunId& run) { runs_.erase(run); }

 private:
  std::map<RunId, ProgramHistory> runs_;
};

}  // namespace heddle::commands
