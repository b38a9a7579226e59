#include "store/sqlite/retention/run_remover.hpp"

#include <utility>
#include <vector>

namespace heddle::store {

namespace {

constexpr std::int64_t kRunBytes = 250;
constexpr std::size_t kRowsPerStep = 32;

}  // namespace

RunRemover::RunRemover(Connection& db)
    : some_traces_(db, "SELECT task, length(trace) + 20 FROM traces WHERE run = ? LIMIT 32"),
      delete_trace_(db, "DELETE FROM traces WHERE run = ? AND task = ?"),
      some_tasks_(db,
                  "SELECT number, length(url) + coalesce(length(error), 0) + 40 FROM tasks"
                  " WHERE run = ? LIMIT 32"),
      delete_task_(db, "DELETE FROM tasks WHERE run = ? AND number = ?"),
      some_processes_(db,
                      "SELECT id, coalesce(length(problem), 0) + 60 FROM processes WHERE run = ?"
                      " LIMIT 32"),
      delete_process_(db, "DELETE FROM processes WHERE run = ? AND id = ?"),
      some_hooks_(db,
                  "SELECT id, length(hook) + coalesce(length(output), 0) + 60 FROM hook_tries"
                  " WHERE run = ? LIMIT 32"),
      delete_hook_(db, "DELETE FROM hook_tries WHERE run = ? AND id = ?"),
      delete_stage_(db, "DELETE FROM run_courses WHERE run = ?"),
      add_to_day_(
          db,
          "INSERT INTO run_days (job, day, runs, completed, failed, duration_ms, pages_done,"
          " pages_failed, pages_skipped, items_seen, items_new, items_changed, bytes,"
          " items_gone, changes, price_changes, cpu_us) SELECT job, ?2, 1, state IN ('completed', "
          "'limited'),"
          " state = 'failed', max(0, ended_at - started_at), pages_done, pages_failed,"
          " pages_skipped, items_seen, items_new, items_changed, bytes, items_gone, changes,"
          " price_changes, cpu_us FROM runs"
          " WHERE number = ?1"
          " ON CONFLICT DO UPDATE SET runs = runs + 1,"
          " completed = completed + excluded.completed, failed = failed + excluded.failed,"
          " duration_ms = duration_ms + excluded.duration_ms,"
          " pages_done = pages_done + excluded.pages_done,"
          " pages_failed = pages_failed + excluded.pages_failed,"
          " pages_skipped = pages_skipped + excluded.pages_skipped,"
          " items_seen = items_seen + excluded.items_seen,"
          " items_new = items_new + excluded.items_new,"
          " items_changed = items_changed + excluded.items_changed,"
          " bytes = bytes + excluded.bytes, items_gone = items_gone + excluded.items_gone,"
          " changes = changes + excluded.changes, cpu_us = cpu_us + excluded.cpu_us,"
          " price_changes = iif(excluded.price_changes IS NULL, price_changes,"
          " coalesce(price_changes, 0) + excluded.price_changes)"),
      delete_run_(db, "DELETE FROM runs WHERE number = ?") {}

Result<int> RunRemover::remove_some(Statement& select, Statement& remove, std::int64_t run) {
  std::vector<std::pair<std::int64_t, std::int64_t>> found;
  found.reserve(kRowsPerStep);
  {
    auto rows = select.query(run);
    while (true) {
      auto more = rows.next();
      if (!more) return std::move(more).error();
      if (!*more) break;
      found.emplace_back(rows.integer(0), rows.integer(1));
    }
  }
  for (const auto& [number, bytes] : found) {
    if (auto done = remove.run(run, number); !done) return std::move(done).error();
    bytes_ += bytes;
  }
  return static_cast<int>(found.size());
}

Result<bool> RunRemover::remove_all(Statement& select, Statement& remove, std::int64_t run,
                                    const BatchDeadline& deadline) {
  while (true) {
    auto removed = remove_some(select, remove, run);
    if (!removed) return std::move(removed).error();
    if (*removed < static_cast<int>(kRowsPerStep))
      return true;  // those were the last rows, even after the deadline
    if (deadline.has_passed()) return false;
  }
}

Result<bool> RunRemover::remove_traces(std::int64_t run, const BatchDeadline& deadline) {
  return remove_all(some_traces_, delete_trace_, run, deadline);
}

Result<bool> RunRemover::remove_parts(std::int64_t run, const BatchDeadline& deadline) {
  auto traces = remove_traces(run, deadline);
  if (!traces || !*traces) return traces;
  auto processes = remove_all(some_processes_, delete_process_, run, deadline);
  if (!processes || !*processes) return processes;
  auto hooks = remove_all(some_hooks_, delete_hook_, run, deadline);
  if (!hooks || !*hooks) return hooks;
  return remove_all(some_tasks_, delete_task_, run, deadline);
}

Status RunRemover::remove(std::int64_t run) {
  bytes_ += kRunBytes;
  if (auto done = delete_stage_.run(run); !done) return done;
  return delete_run_.run(run);
}

Status RunRemover::remove_into_day(std::int64_t run, std::int64_t day) {
  if (auto added = add_to_day_.run(run, day); !added) return added;
  return remove(run);
}

}  // namespace heddle::store
