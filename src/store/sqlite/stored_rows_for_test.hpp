// Fills the tables of a new database with very many rows, faster than a store would.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>

#include <fmt/format.h>

#include "store/sqlite/core/connection.hpp"
#include "store/sqlite/core/schema.hpp"

namespace heddle::store::testing {

struct StoredRows {
  std::int64_t items = 0;
  std::int64_t items_per_time = 300;  // found by one page at one time
  std::int64_t runs = 0;              // ended ones, before an unfinished one
  std::int64_t tasks = 0;             // of the unfinished run "last"; every fourth has failed
  std::int64_t dead_letters = 0;
  std::int64_t jobs = 0;  // besides "shop", the job of all rows above; all are ok
};

inline std::string sql_of(const StoredRows& rows) {
  const auto numbers = [](std::int64_t count) {
    return fmt::format(
        "WITH RECURSIVE n(i) AS (SELECT 1 WHERE {0} > 0 UNION ALL SELECT i + 1 FROM n"
        " WHERE i < {0}) ",
        count);
  };
  const std::int64_t pages = rows.items / rows.items_per_time + 1;
  return "INSERT INTO jobs VALUES (1, 'shop', 'shop', 'web', 'r');"
         "INSERT INTO job_lives (job, state, since, check_state, failed_runs, attempt, revision)"
         " VALUES (1, 'running', 0, 'failing', 3, 0, 'r');" +
         numbers(rows.jobs) +
         "INSERT INTO jobs SELECT i + 1, 'job' || i, 'job', 'web', 'r' FROM n;"
         "INSERT INTO job_lives (job, state, since, check_state, failed_runs, attempt, revision)"
         " SELECT number, 'scheduled', 0, 'ok', 0, 0, 'r' FROM jobs WHERE number > 1;" +
         numbers(pages) + "INSERT INTO urls SELECT i, i, 'https://shop.test/' || i FROM n;" +
         "INSERT INTO pages (id, job, url, final_url, item_count, http_status, first_seen,"
         " last_seen, keys_hash) SELECT id, 1, id, id, 1, 200, 1, 1000000000000, 0 FROM urls;" +
         numbers(rows.items) +
         fmt::format(
             "INSERT INTO items (id, job, url, run, key, first_seen, fields, page)"
             " SELECT i, 1, (i - 1) / {0} + 1, 1, randomblob(16), (i - 1) / {0} + 1,"
             " '{{\"title\":\"A headline of ordinary length, number ' || i || '\"}}',"
             " (i - 1) / {0} + 1 FROM n;",
             rows.items_per_time) +
         numbers(rows.runs) +
         "INSERT INTO runs (number, id, job, state, trigger_kind, attempt, revision, started_at,"
         " ended_at, open_tasks) SELECT i, 'run' || i, 1, 'completed', 'schedule', 1, 'r',"
         " i * 1000, i * 1000 + 500, 0 FROM n;"
         "INSERT INTO runs (number, id, job, state, trigger_kind, attempt, revision, started_at,"
         " open_tasks) VALUES (1000000000, 'last', 1, 'in_progress', 'manual', 1, 'r',"
         " 1000000000000, 1);" +
         numbers(rows.tasks) +
         "INSERT INTO tasks (run, number, state, token, attempt, url, error_kind, error)"
         " SELECT 1000000000, i, iif(i % 4 = 0, 5, 3), 1, 1, 'https://shop.test/' || i,"
         " iif(i % 4 = 0, 'timeout', NULL), iif(i % 4 = 0, 'too slow', NULL) FROM n;" +
         numbers(rows.dead_letters) +
         "INSERT INTO dead_letters (origin, job, run, payload, error_kind, error, attempts,"
         " first_failed_at, last_failed_at) SELECT 'page', 1, 'last', 'https://shop.test/' || i,"
         " 'timeout', 'too slow', 3, i, i FROM n;";
}

inline void store_rows(const std::filesystem::path& file, const StoredRows& rows) {
  auto db = Connection::open(file, {});
  if (!db) throw std::runtime_error(db.error().message);
  auto done = migrate(**db, migrations());
  if (done) done = (*db)->execute("PRAGMA synchronous=OFF; PRAGMA journal_mode=WAL");
  if (done) done = (*db)->execute("BEGIN;" + sql_of(rows) + "COMMIT");
  if (!done) throw std::runtime_error(done.error().message);
}

}  // namespace heddle::store::testing
