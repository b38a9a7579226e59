// SqliteStore: what becomes of the programs of runs.
#include <utility>

#include "store/sqlite/sqlite_calls.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "store/sqlite/sqlite_store_parts.hpp"

namespace heddle::store {

Async<Status> SqliteStore::note_process(ProcessRecord process) {
  return write_through<Done>(parts_->writer,
                             [&tables = parts_->tables, process = std::move(process)] {
                               return tables.programs.note(process);
                             });
}

Async<Status> SqliteStore::note_hook(HookRecord hook) {
  return write_through<Done>(parts_->writer, [&tables = parts_->tables, hook = std::move(hook)] {
    return tables.programs.note(hook);
  });
}

Async<Status> SqliteStore::note_course(RunId run, RunCourse course) {
  return write_through<Done>(
      parts_->writer, [&tables = parts_->tables, run = std::move(run), course = std::move(course)] {
        return tables.programs.note(run, course);
      });
}

Async<Result<ProgramHistory>> SqliteStore::program_history(RunId run) {
  return parts_->views->program_history(std::move(run));
}

}  // namespace heddle::store
