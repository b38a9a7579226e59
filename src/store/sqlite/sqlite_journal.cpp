// SqliteStore: processes and hooks of runs.
#include <utility>

#include "store/sqlite/core/sqlite_calls.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "store/sqlite/sqlite_store_parts.hpp"

namespace heddle::store {

Async<Status> SqliteStore::record_process(ProcessRecord process) {
  return write_through<Done>(parts_->writer,
                             [&tables = parts_->tables, process = std::move(process)] {
                               return tables.programs.record(process);
                             });
}

Async<Status> SqliteStore::record_hook(HookRecord hook) {
  return write_through<Done>(parts_->writer, [&tables = parts_->tables, hook = std::move(hook)] {
    return tables.programs.record(hook);
  });
}

Async<Status> SqliteStore::record_stage(RunId run, RunStageRecord stage_record) {
  return write_through<Done>(parts_->writer, [&tables = parts_->tables, run = std::move(run),
                                              stage_record = std::move(stage_record)] {
    return tables.programs.record(run, stage_record);
  });
}

Async<Result<ProgramHistory>> SqliteStore::program_history(RunId run) {
  return parts_->queries->program_history(std::move(run));
}

}  // namespace heddle::store
