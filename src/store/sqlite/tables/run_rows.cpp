#include "store/sqlite/tables/run_rows.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

#include "base/text.hpp"
#include "store/sqlite/tables/json_text.hpp"

namespace heddle::store {

namespace {

const std::string kSelect =  // NOLINT(cert-err58-cpp): cannot throw in practice
    "SELECT r.number, r.id, j.id, r.state, r.trigger_kind, r.attempt, r.revision, r.started_at,"
    " r.ended_at, r.pages_total, r.pages_done, r.pages_failed, r.pages_skipped, r.items_seen,"
    " r.items_new, r.items_changed, r.bytes, r.errors, r.items_gone, r.changes, r.price_changes, "
    "r.cpu_us,"
    " r.slots"
    " FROM runs r LEFT JOIN jobs j ON j.number = r.job ";

// "0,2": slot numbers of workers.
std::vector<int> slots_from(std::string_view text) {
  std::vector<int> slots;
  for (const std::string_view part : split(text, ',')) {
    int slot = 0;
    const auto [end, failure] = std::from_chars(part.data(), part.data() + part.size(), slot);
    if (failure == std::errc() && end == part.data() + part.size()) slots.push_back(slot);
  }
  return slots;
}

void add_tasks(Run& run, TaskState state, const Rows& rows) {
  const std::int64_t count = rows.integer(1);
  run.pages.total += count;
  if (state == TaskState::done) run.pages.done += count;
  if (state == TaskState::skipped) run.pages.skipped += count;
  if (state == TaskState::dead) run.pages.failed += count;
  run.items.seen += rows.integer(2);
  run.items.fresh += rows.integer(3);
  run.items.changed += rows.integer(4);
  run.bytes += rows.integer(5);
}

}  // namespace

RunRows::RunRows(Connection& db)
    : by_id_(db, kSelect + "WHERE r.id = ?"),
      by_job_(db, kSelect +
                      "WHERE r.job = (SELECT number FROM jobs WHERE id = ?)"
                      " ORDER BY r.number DESC LIMIT ?"),
      unfinished_(db, kSelect + "WHERE r.ended_at IS NULL ORDER BY r.number"),
      // The newest older run ends the index scan: only runs since `since` are read.
      usage_(db,
             "SELECT count(*), coalesce(sum(iif(ended_at IS NULL, pages_total,"
             " pages_done + pages_failed + pages_skipped)), 0) FROM runs WHERE job = ?1"
             " AND number > coalesce((SELECT number FROM runs WHERE job = ?1 AND started_at < ?2"
             " ORDER BY number DESC LIMIT 1), 0)"),
      counts_(db,
              "SELECT state, count(*), total(items_seen), total(items_new), total(items_changed),"
              " total(bytes) FROM tasks WHERE run = ? GROUP BY state"),
      dead_(db, "SELECT error_kind, error, url FROM tasks WHERE run = ? AND state = 5 LIMIT ?") {}

RunRows::Row RunRows::read(const Rows& rows) {
  Row row{rows.integer(0), {}};
  Run& run = row.run;
  run.id.text = rows.text(1);
  run.job.text = rows.text(2);
  run.state = run_state_from(rows.text(3)).value_or(RunState::failed);
  run.trigger = run_trigger_from(rows.text(4)).value_or(RunTrigger::manual);
  run.attempt = static_cast<int>(rows.integer(5));
  run.revision = rows.text(6);
  run.started_at = rows.time(7);
  if (!rows.is_null(8)) run.ended_at = rows.time(8);
  run.pages = {rows.integer(9), rows.integer(10), rows.integer(11), rows.integer(12)};
  run.items = {rows.integer(13), rows.integer(14), rows.integer(15), rows.integer(18)};
  run.bytes = rows.integer(16);
  if (!rows.is_null(17)) run.errors = errors_from_json(rows.text(17));
  run.changes = rows.integer(19);
  run.price_changes = rows.maybe_integer(20);
  run.cpu = std::chrono::microseconds(rows.integer(21));
  run.slots = slots_from(rows.text(22));
  return row;
}

Status RunRows::sum_up(std::int64_t run_number, Run& run) {
  run.pages = {};
  run.items = {.gone = run.items.gone};  // stored with the run itself
  run.bytes = 0;
  auto rows = counts_.query(run_number);
  while (true) {
    auto more = rows.next();
    if (!more) return std::move(more).error();
    if (!*more) return Done{};
    add_tasks(run, task_state_of(rows.integer(0)), rows);
  }
}

Status RunRows::list_failures(std::int64_t run_number, Run& run) {
  auto rows = dead_.query(run_number, static_cast<std::int64_t>(kKeptRunErrors));
  while (true) {
    auto more = rows.next();
    if (!more) return std::move(more).error();
    if (!*more) return Done{};
    run.errors.push_back(
        {error_kind_from(rows.text(0)), std::string(rows.text(1)), std::string(rows.text(2))});
  }
}

Status RunRows::add_task_counts(Row& row) {
  if (row.run.ended_at) return Done{};
  if (auto summed = sum_up(row.number, row.run); !summed) return summed;
  if (row.run.pages.failed == 0) return Done{};
  return list_failures(row.number, row.run);
}

Result<std::vector<Run>> RunRows::collect(Rows rows) {
  std::vector<Row> found;
  while (true) {
    auto more = rows.next();
    if (!more) return std::move(more).error();
    if (!*more) break;
    found.push_back(read(rows));
  }
  std::vector<Run> runs;
  for (Row& row : found) {
    if (auto added = add_task_counts(row); !added) return std::move(added).error();
    runs.push_back(std::move(row.run));
  }
  return runs;
}

Result<std::optional<Run>> RunRows::find(const RunId& id) {
  auto runs = collect(by_id_.query(id.text));
  if (!runs) return std::move(runs).error();
  if (runs->empty()) return std::optional<Run>();
  return std::optional<Run>(std::move(runs->front()));
}

Result<std::vector<Run>> RunRows::of_job(const JobId& job, std::size_t max) {
  const auto limit = static_cast<std::int64_t>(std::min<std::size_t>(max, INT32_MAX));
  return collect(by_job_.query(job.text, limit));
}

Result<JobUsage> RunRows::usage_since(std::int64_t job, WallTime since) {
  auto rows = usage_.query(job, since);
  auto found = rows.next();
  if (!found) return std::move(found).error();
  return JobUsage{rows.integer(0), rows.integer(1)};
}

Result<std::vector<Run>> RunRows::unfinished() {
  return collect(unfinished_.query());
}

}  // namespace heddle::store
