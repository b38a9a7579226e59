#include "store/sqlite/tables/load_rows.hpp"

#include <algorithm>
#include <utility>

namespace heddle::store {

// Each subquery reads only the first row of a partial index.
LoadRows::LoadRows(Connection& db)
    : runs_(db,
            "SELECT r.id, j.id, r.started_at, r.open_tasks,"
            " EXISTS (SELECT 1 FROM tasks INDEXED BY tasks_pending"
            "  WHERE run = r.number AND state = 0),"
            " (SELECT due_at FROM tasks INDEXED BY tasks_retry"
            "  WHERE run = r.number AND state = 2 ORDER BY due_at LIMIT 1)"
            " FROM runs r INDEXED BY runs_unfinished JOIN jobs j ON j.number = r.job"
            " WHERE r.ended_at IS NULL AND r.state = 'in_progress' ORDER BY r.number"),
      counts_(db,
              "SELECT (SELECT count(*) FROM outbox WHERE state = 0),"
              " (SELECT count(*) FROM dead_letters),"
              " (SELECT count(*) FROM dead_letters WHERE last_failed_at >= ?)"),
      recent_(db,
              "SELECT state, started_at, ended_at, pages_done, pages_failed, pages_skipped,"
              " items_new, items_changed FROM runs WHERE job = ? AND ended_at IS NOT NULL"
              " ORDER BY number DESC LIMIT ?") {}

Result<std::vector<RunLoad>> LoadRows::runs() {
  std::vector<RunLoad> runs;
  auto rows = runs_.query();
  while (true) {
    auto more = rows.next();
    if (!more) return std::move(more).error();
    if (!*more) return runs;
    RunLoad& run = runs.emplace_back();
    run.run.text = rows.text(0);
    run.job.text = rows.text(1);
    run.started_at = rows.time(2);
    run.open_tasks = rows.integer(3);
    run.has_pending = rows.integer(4) != 0;
    if (!rows.is_null(5)) run.next_retry = rows.time(5);
  }
}

Result<SystemLoad> LoadRows::system_load(WallTime dead_letters_since) {
  SystemLoad load;
  auto active = runs();
  if (!active) return std::move(active).error();
  load.runs = std::move(*active);
  auto rows = counts_.query(dead_letters_since);
  auto found = rows.next();
  if (!found) return std::move(found).error();
  load.messages_waiting = rows.integer(0);
  load.dead_letters = rows.integer(1);
  load.new_dead_letters = rows.integer(2);
  return load;
}

Result<std::vector<RunFigures>> LoadRows::recent_runs(std::int64_t job, std::size_t max) {
  std::vector<RunFigures> runs;
  auto rows = recent_.query(job, static_cast<std::int64_t>(std::min<std::size_t>(max, INT32_MAX)));
  while (true) {
    auto more = rows.next();
    if (!more) return std::move(more).error();
    if (!*more) return runs;
    RunFigures& run = runs.emplace_back();
    run.state = run_state_from(rows.text(0)).value_or(RunState::failed);
    run.started_at = rows.time(1);
    run.ended_at = rows.time(2);
    run.done = rows.integer(3);
    run.failed = rows.integer(4);
    run.skipped = rows.integer(5);
    run.new_items = rows.integer(6);
    run.changed_items = rows.integer(7);
  }
}

}  // namespace heddle::store
