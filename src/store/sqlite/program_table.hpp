// What became of the processes and hooks of runs. ProgramTable writes, on the writer's thread;
// ProgramRows reads, on the thread of its connection.
#pragma once

#include <cstdint>

#include "base/ids.hpp"
#include "base/result.hpp"
#include "model/program_run.hpp"
#include "store/sqlite/journal_table.hpp"
#include "store/sqlite/statement.hpp"

namespace heddle::store {

class ProgramTable {
 public:
  ProgramTable(Connection& db, JournalTable& journal);

  // See RunJournal. What has failed becomes an event.
  Status note(const ProcessRecord& process);
  Status note(const HookRecord& hook);
  Status note(const RunId& run, const RunCourse& course);

 private:
  struct RunNumbers {
    std::int64_t run = 0;
    std::int64_t job = 0;
  };
  Result<RunNumbers> numbers_of(const RunId& run);
  Status tell(const RunNumbers& numbers, const HookRecord& hook);
  Status tell(const RunNumbers& numbers, const ProcessRecord& process);

  JournalTable& journal_;
  Statement select_run_;
  Statement put_process_;
  Statement forget_processes_;
  Statement put_hook_;
  Statement put_course_;
};

class ProgramRows {
 public:
  explicit ProgramRows(Connection& db);

  Result<ProgramHistory> of(const RunId& run);

 private:
  Status add_course(const RunId& run, ProgramHistory& history);
  Status add_processes(const RunId& run, ProgramHistory& history);
  Status add_hooks(const RunId& run, ProgramHistory& history);

  Statement course_;
  Statement processes_;
  Statement hooks_;
};

}  // namespace heddle::store
