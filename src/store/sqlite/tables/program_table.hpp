// Stores the processes and hooks of runs. ProgramTable writes on the writer thread; ProgramRows
// reads on the thread of its connection.
#pragma once

#include <cstdint>

#include "base/ids.hpp"
#include "base/result.hpp"
#include "model/run/program_run.hpp"
#include "store/sqlite/core/statement.hpp"
#include "store/sqlite/tables/journal_table.hpp"

namespace heddle::store {

class ProgramTable {
 public:
  ProgramTable(Connection& db, JournalTable& journal);

  // See RunJournal. Failures also become events.
  Status record(const ProcessRecord& process);
  Status record(const HookRecord& hook);
  Status record(const RunId& run, const RunStageRecord& stage_record);

 private:
  struct RunNumbers {
    std::int64_t run = 0;
    std::int64_t job = 0;
  };
  Result<RunNumbers> numbers_of(const RunId& run);
  Status add_event(const RunNumbers& numbers, const HookRecord& hook);
  Status add_event(const RunNumbers& numbers, const ProcessRecord& process);

  JournalTable& journal_;
  Statement select_run_;
  Statement put_process_;
  Statement forget_processes_;
  Statement put_hook_;
  Statement put_stage_;
};

class ProgramRows {
 public:
  explicit ProgramRows(Connection& db);

  Result<ProgramHistory> of(const RunId& run);

 private:
  Status add_stage(const RunId& run, ProgramHistory& history);
  Status add_processes(const RunId& run, ProgramHistory& history);
  Status add_hooks(const RunId& run, ProgramHistory& history);

  Statement stage_;
  Statement processes_;
  Statement hooks_;
};

}  // namespace heddle::store
