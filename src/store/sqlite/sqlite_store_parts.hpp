// Members of SqliteStore, for its own source files.
#pragma once

#include <memory>

#include "store/sqlite/core/batching_wal.hpp"
#include "store/sqlite/core/checkpointer.hpp"
#include "store/sqlite/core/connection.hpp"
#include "store/sqlite/core/group_writer.hpp"
#include "store/sqlite/sqlite_queries.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "store/sqlite/tables/maintenance_tables.hpp"
#include "store/sqlite/tables/tables.hpp"

namespace heddle::store {

struct Connections {
  std::unique_ptr<BatchingWal> disk;  // the writer's
  std::unique_ptr<Connection> writer;
  std::unique_ptr<Connection> checkpointer;
  std::unique_ptr<SqliteQueries> queries;
};

// Destroyed in reverse order: threads first, then statements, then connections; the writer's
// connection last, so that it can checkpoint and remove the WAL.
struct SqliteStore::Parts {
  Parts(Connections open, const SqliteOptions& options)
      : disk(std::move(open.disk)),
        writer_db(std::move(open.writer)),
        queries(std::move(open.queries)),
        tables(*writer_db),
        maintenance(*writer_db, tables),
        checkpointer(*writer_db, std::move(open.checkpointer),
                     {options.checkpoint_bytes, options.idle_after},
                     options.log != nullptr ? *options.log : no_log),
        writer(*writer_db, {.undone = [this] { tables.jobs.forget(); },
                            .committed = [this] { checkpointer.after_commit(); },
                            .measured = options.on_commit}) {}

  NoLog no_log;
  std::unique_ptr<BatchingWal> disk;
  std::unique_ptr<Connection> writer_db;
  std::unique_ptr<SqliteQueries> queries;
  Tables tables;
  MaintenanceTables maintenance;
  Checkpointer checkpointer;
  GroupWriter writer;
};

}  // namespace heddle::store
