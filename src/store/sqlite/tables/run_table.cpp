#include "store/sqlite/tables/run_table.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

#include "base/text.hpp"
#include "model/run/run_problems.hpp"
#include "model/run/run_transitions.hpp"
#include "store/sqlite/tables/json_text.hpp"

namespace heddle::store {

namespace {

const std::string kSelect =  // NOLINT(cert-err58-cpp): cannot throw in practice
    "SELECT r.number, r.id, j.id, r.state, r.trigger_kind, r.attempt, r.revision, r.started_at,"
    " r.ended_at, r.pages_total, r.pages_done, r.pages_failed, r.pages_skipped, r.items_seen,"
    " r.items_new, r.items_changed, r.bytes, r.errors, r.items_gone, r.changes, r.price_changes,"
    " r.cpu_us, r.slots, r.peak_memory, r.suspicious_pages, r.most_pages"
    " FROM runs r LEFT JOIN jobs j ON j.number = r.job ";

// Adds ?2 CPU time, ?3 slot and ?4 memory to a run. A run has few workers, usually one: their slots
// are stored as a short text, "0,2".
const std::string kAddCost =  // NOLINT(cert-err58-cpp): cannot throw in practice
    " cpu_us = cpu_us + ?2, peak_memory = max(peak_memory, ?4), slots = CASE"
    " WHEN ?3 IS NULL OR instr(',' || slots || ',', ',' || ?3 || ',') > 0 THEN slots"
    " ELSE coalesce(slots || ',', '') || ?3 END";

// "'script', 'no_items'": fixed words, nothing to escape. The index tasks_failed has the same list:
// another one needs a migration.
std::string suspicious_kinds() {
  std::string list;
  for (const ErrorKind kind : kSuspiciousKinds) {
    if (!list.empty()) list += ", ";
    list += "'" + std::string(to_text(kind)) + "'";
  }
  return list;
}

bool is_suspicious(ErrorKind kind) {
  return std::ranges::find(kSuspiciousKinds, kind) != kSuspiciousKinds.end();
}

// A worker's report must not lower the cost of a run.
std::int64_t cpu_of(const PageCost& cost) {
  return std::max<std::int64_t>(0, cost.cpu.count());
}

// An unfinished run with a damaged state can still end.
RunState state_of(std::string_view text, bool has_ended) {
  return run_state_from(text).value_or(has_ended ? RunState::failed : RunState::in_progress);
}

Error no_such_run(const RunId& run) {
  return {ErrorCode::not_found, "no run '" + run.text + "' is stored"};
}

// Why the run as a whole did not complete; nullptr: its pages tell.
const RunError* reason_among(const std::vector<RunError>& errors) {
  const auto found = std::ranges::find_if(
      errors, [](const RunError& error) { return error.url.empty() && !is_notice(error.kind); });
  return found == errors.end() ? nullptr : &*found;
}

std::vector<int> slots_from(std::string_view text) {
  std::vector<int> slots;
  for (const std::string_view part : split(text, ',')) {
    int slot = 0;
    const auto [end, failure] = std::from_chars(part.data(), part.data() + part.size(), slot);
    if (failure == std::errc() && end == part.data() + part.size()) slots.push_back(slot);
  }
  return slots;
}

}  // namespace

RunRows::RunRows(Connection& db)
    : by_id_(db, kSelect + "WHERE r.id = ?"),
      by_job_(db, kSelect +
                      "WHERE r.job = (SELECT number FROM jobs WHERE id = ?) AND r.number < ?"
                      " ORDER BY r.number DESC LIMIT ?"),
      unfinished_(db, kSelect + "WHERE r.ended_at IS NULL ORDER BY r.number"),
      // The newest older run ends the index scan: only runs since `since` are read.
      usage_(db,
             "SELECT count(*), coalesce(sum(iif(ended_at IS NULL, pages_total,"
             " pages_done + pages_failed + pages_skipped)), 0) FROM runs WHERE job = ?1"
             " AND number > coalesce((SELECT number FROM runs WHERE job = ?1 AND started_at < ?2"
             " ORDER BY number DESC LIMIT 1), 0)"),
      // Dead pages first, then what casts doubt on the run, then what does not.
      failed_(db,
              "SELECT error_kind, error, url FROM tasks INDEXED BY tasks_failed WHERE run = ?"
              " AND state > 2 AND error_kind NOTNULL ORDER BY state DESC, (error_kind IN (" +
                  suspicious_kinds() + ")) DESC, number LIMIT ?") {}

RunRows::Row RunRows::read(const Rows& rows) {
  Row row{rows.integer(0), {}};
  Run& run = row.run;
  run.id.text = rows.text(1);
  run.job.text = rows.text(2);
  run.state = state_of(rows.text(3), !rows.is_null(8));
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
  run.peak_memory_bytes = rows.integer(23);
  run.suspicious_pages = rows.integer(24);
  run.most_pages = rows.integer(25);
  return row;
}

Status RunRows::list_problems(std::int64_t run_number, Run& run) {
  auto rows = failed_.query(run_number, static_cast<std::int64_t>(kKeptRunErrors));
  while (true) {
    auto more = rows.next();
    if (!more) return std::move(more).error();
    if (!*more) return Done{};
    run.errors.push_back(
        {error_kind_from(rows.text(0)), std::string(rows.text(1)), std::string(rows.text(2))});
  }
}

Result<std::vector<RunRows::Row>> RunRows::collect(Rows rows) {
  std::vector<Row> found;
  while (true) {
    auto more = rows.next();
    if (!more) return std::move(more).error();
    if (!*more) break;
    found.push_back(read(rows));
  }
  for (Row& row : found) {
    if (row.run.ended_at) continue;
    if (auto listed = list_problems(row.number, row.run); !listed) return std::move(listed).error();
  }
  return found;
}

Result<std::optional<Run>> RunRows::find(const RunId& id) {
  auto rows = collect(by_id_.query(id.text));
  if (!rows) return std::move(rows).error();
  if (rows->empty()) return std::optional<Run>();
  return std::optional<Run>(std::move(rows->front().run));
}

Result<std::vector<RunRows::Row>> RunRows::of_job(const JobId& job, std::size_t max,
                                                  std::int64_t before) {
  const auto limit = static_cast<std::int64_t>(std::min<std::size_t>(max, INT32_MAX));
  return collect(by_job_.query(job.text, before, limit));
}

Result<JobUsage> RunRows::usage_since(std::int64_t job, WallTime since) {
  auto rows = usage_.query(job, since);
  auto found = rows.next();
  if (!found) return std::move(found).error();
  return JobUsage{rows.integer(0), rows.integer(1)};
}

Result<std::vector<Run>> RunRows::unfinished() {
  auto rows = collect(unfinished_.query());
  if (!rows) return std::move(rows).error();
  std::vector<Run> runs;
  for (Row& row : *rows) runs.push_back(std::move(row.run));
  return runs;
}

RunTable::RunTable(Connection& db, JobNumbers& jobs, JournalTable& journal)
    : jobs_(jobs),
      journal_(journal),
      rows_(db),
      insert_(db,
              "INSERT OR IGNORE INTO runs (id, job, state, trigger_kind, attempt, revision,"
              " started_at, open_tasks, pages_total, errors, most_pages)"
              " VALUES (?, ?, ?, ?, ?, ?, ?, ?8, ?8, ?9, ?10)"),
      summary_(db, "SELECT number, state, ended_at IS NOT NULL, open_tasks FROM runs WHERE id = ?"),
      add_cost_(db, "UPDATE runs SET" + kAddCost + " WHERE number = ?1"),
      close_task_(db,
                  "UPDATE runs SET open_tasks = open_tasks - 1,"
                  " pages_done = pages_done + (?8 = 3), pages_skipped = pages_skipped + (?8 = 4),"
                  " pages_failed = pages_failed + (?8 = 5), items_seen = items_seen + ?9,"
                  " items_new = items_new + ?10, bytes = bytes + ?11, items_gone = items_gone + ?5,"
                  " suspicious_pages = suspicious_pages + ?12, items_changed = items_changed + ?13,"
                  " changes = changes + ?6, price_changes = iif(?7 IS NULL, price_changes,"
                  " coalesce(price_changes, 0) + ?7)," +
                      kAddCost + " WHERE number = ?1"),
      room_(db, "SELECT pages_total, most_pages, errors FROM runs WHERE number = ?"),
      add_pages_(db,
                 "UPDATE runs SET open_tasks = open_tasks + ?2, pages_total = pages_total + ?2"
                 " WHERE number = ?1"),
      set_errors_(db, "UPDATE runs SET errors = ? WHERE number = ?"),
      mark_(db, "UPDATE runs SET state = ? WHERE number = ?"),
      end_(db,
           "UPDATE runs SET state = ?, ended_at = ?, errors = ?, cpu_us = cpu_us + 1000 *"
           " (SELECT coalesce(sum(cpu_ms), 0) FROM processes WHERE processes.run = runs.number),"
           " peak_memory = max(peak_memory, (SELECT coalesce(max(processes.peak_memory), 0)"
           " FROM processes WHERE processes.run = runs.number))"
           " WHERE id = ?"),
      warning_(db,
               "SELECT error, url FROM tasks INDEXED BY tasks_failed"
               " WHERE run = (SELECT number FROM runs WHERE id = ?) AND state > 2 AND state = 3"
               " AND error_kind NOTNULL AND error_kind = 'expectation' LIMIT 1") {}

Result<std::int64_t> RunTable::begin(const Run& run, std::int64_t pages) {
  auto job = jobs_.number_of(run.job);
  if (!job) return std::move(job).error();
  std::optional<std::string> errors;
  if (!run.errors.empty()) errors = errors_to_json(run.errors);
  auto inserted =
      insert_.change(run.id.text, *job, to_text(RunState::in_progress), to_text(run.trigger),
                     run.attempt, run.revision, run.started_at, pages, errors, run.most_pages);
  if (!inserted) return std::move(inserted).error();
  if (*inserted == 0) return Error{ErrorCode::conflict, "run " + run.id.text + " already exists"};
  const EventRow event{
      .at = run.started_at,
      .kind = "run.started",
      .job = *job,
      .run = run.id.text,
      .data = {{"trigger", std::string(to_text(run.trigger))}, {"pages", std::to_string(pages)}}};
  if (auto added = journal_.add(event); !added) return std::move(added).error();
  auto summary = summary_of(run.id);
  if (!summary) return std::move(summary).error();
  return summary->number;
}

Result<RunTable::Summary> RunTable::summary_of(const RunId& run) {
  auto rows = summary_.query(run.text);
  auto found = rows.next();
  if (!found) return std::move(found).error();
  if (!*found) return no_such_run(run);
  const bool has_ended = rows.integer(2) != 0;
  return Summary{rows.integer(0), state_of(rows.text(1), has_ended), has_ended, rows.integer(3)};
}

Result<RunTable::Summary> RunTable::unfinished(const RunId& run) {
  auto summary = summary_of(run);
  if (summary && summary->has_ended)
    return Error{ErrorCode::conflict, "run " + run.text + " has ended"};
  return summary;
}

Status RunTable::add_cost(std::int64_t run, const PageCost& cost) {
  if (cpu_of(cost) == 0 && !cost.slot) return Done{};
  return add_cost_.run(run, cpu_of(cost), cost.slot, cost.memory_bytes);
}

Status RunTable::close_task(std::int64_t run, const RunContribution& task, const PageCost& cost) {
  return close_task_.run(run, cpu_of(cost), cost.slot, cost.memory_bytes, task.items_gone,
                         task.is_changed ? 1 : 0, task.price_changes, code_of(task.state),
                         task.items_seen, task.items_new, task.bytes,
                         is_suspicious(task.error) ? 1 : 0, task.items_changed);
}

Result<RunTable::Room> RunTable::room_of(std::int64_t run) {
  auto rows = room_.query(run);
  auto found = rows.next();
  if (!found) return std::move(found).error();
  if (!*found) return Room{};
  return Room{rows.integer(0), rows.integer(1), std::string(rows.text(2))};
}

Status RunTable::add_pages(std::int64_t run, std::int64_t pages) {
  return add_pages_.run(run, pages);
}

Status RunTable::note_limit(std::int64_t run, const Room& room) {
  std::vector<RunError> errors;
  if (!room.errors.empty()) errors = errors_from_json(room.errors);
  const RunError reached{
      ErrorKind::limited,
      "the run has reached its limit of " + std::to_string(room.most_pages) +
          " pages (`max_pages` of [discover], limits.pages_per_run or limits.pages_per_day): "
          "further links were not followed",
      ""};
  if (std::ranges::any_of(errors, [&](const RunError& each) { return each.kind == reached.kind; }))
    return Done{};
  errors.push_back(reached);
  return set_errors_.run(errors_to_json(errors), run);
}

Status RunTable::mark(const RunId& run, RunState state) {
  if (is_terminal(state))
    return Error{ErrorCode::bad_input, "a run cannot be marked '" + std::string(to_text(state)) +
                                           "': that is how it ends"};
  auto summary = unfinished(run);
  if (!summary) return std::move(summary).error();
  if (summary->state == state) return Done{};
  if (!can_transition(summary->state, state))
    return Error{ErrorCode::conflict, "run " + run.text + " is " +
                                          std::string(to_text(summary->state)) +
                                          ": it cannot become " + std::string(to_text(state))};
  return mark_.run(to_text(state), summary->number);
}

// The check state of the job follows a warning, however many notices there are.
Status RunTable::keep_warning(const Run& run, std::vector<RunError>& errors) {
  const bool is_whole = errors.size() < kKeptRunErrors;
  const bool has_room = run.pages.failed < static_cast<std::int64_t>(kKeptRunErrors);
  if (is_whole || !has_room || warning_of(problems_of(run)) != nullptr) return Done{};
  auto rows = warning_.query(run.id.text);
  auto found = rows.next();
  if (!found) return std::move(found).error();
  if (*found)
    errors.back() = {ErrorKind::expectation, std::string(rows.text(0)), std::string(rows.text(1))};
  return Done{};
}

Result<Run> RunTable::end(const RunId& id, RunState state, std::vector<RunError> errors,
                          WallTime now) {
  if (!is_terminal(state))
    return Error{ErrorCode::bad_input,
                 "a run cannot end in state '" + std::string(to_text(state)) + "'"};
  auto found = rows_.find(id);
  if (!found) return std::move(found).error();
  if (!*found) return no_such_run(id);
  Run run = std::move(**found);
  if (run.ended_at) return run;
  if (!can_transition(run.state, state))
    return Error{ErrorCode::conflict, "run " + id.text + " is " + std::string(to_text(run.state)) +
                                          ": it cannot end as " + std::string(to_text(state))};

  errors.resize(std::min(errors.size(), kKeptRunErrors));
  if (auto kept = keep_warning(run, errors); !kept) return std::move(kept).error();
  const RunError* reason = state == RunState::completed ? nullptr : reason_among(errors);
  auto done = end_.run(to_text(state), now, errors_to_json(errors), id.text);
  if (!done) return std::move(done).error();
  auto job = jobs_.number_of(run.job);
  if (!job) return std::move(job).error();
  EventRow event{.at = now,
                 .kind = "run.ended",
                 .job = *job,
                 .run = id.text,
                 .data = {{"state", std::string(to_text(state))}}};
  if (reason != nullptr) event.data.emplace_back("error", reason->message);
  if (auto added = journal_.add(event); !added) return std::move(added).error();
  auto ended = rows_.find(id);  // with the cost of its processes
  if (!ended) return std::move(ended).error();
  return std::move(**ended);
}

}  // namespace heddle::store
