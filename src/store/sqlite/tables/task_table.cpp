#include "store/sqlite/tables/task_table.hpp"

#include <algorithm>

#include "model/run/run_transitions.hpp"
#include "store/sqlite/tables/pages/trace_blob.hpp"

namespace heddle::store {

namespace {

// Due retries become pending in batches: a long outage may leave very many.
constexpr std::int64_t kRetriesPerStep = 4096;

Error refusal(const Lease& lease, std::string_view why) {
  return {ErrorCode::conflict, "task " + std::to_string(lease.task.number) + " of run " +
                                   lease.task.run.text + " with token " +
                                   std::to_string(lease.token) + ": " + std::string(why)};
}

bool is_same_end(TaskState is, TaskState target) {
  const auto is_success = [](TaskState state) {
    return state == TaskState::done || state == TaskState::skipped;
  };
  return is == target || (is_success(is) && is_success(target));
}

std::string_view conflict_reason(TaskState state, bool is_newest) {
  if (!is_newest) return "a newer lease exists";
  if (state == TaskState::pending || state == TaskState::retry) return "the lease was released";
  return "the task has already ended in another state";
}

// The steps that are SQL alone; hold() checks the others.
static_assert(can_transition(TaskState::pending, TaskState::processing) &&
              can_transition(TaskState::processing, TaskState::pending) &&
              can_transition(TaskState::retry, TaskState::pending));

}  // namespace

TaskTable::TaskTable(Connection& db, JobNumbers& jobs, JournalTable& journal,
                     InFlightDeadLetters& dead_letters)
    : journal_(journal),
      dead_letters_(dead_letters),
      runs_(db, jobs, journal),
      insert_task_(db,
                   "INSERT INTO tasks (run, number, state, token, attempt, url)"
                   " VALUES (?, ?, 0, 0, 1, ?)"),
      find_visit_(db, "SELECT 1 FROM tasks INDEXED BY tasks_found WHERE run = ? AND visit = ?"),
      insert_found_(db,
                    "INSERT INTO tasks (run, number, state, token, attempt, url, visit, depth,"
                    " is_baseline) VALUES (?, ?, 0, 0, 1, ?, ?, ?, ?)"),
      last_task_(db, "SELECT number FROM tasks WHERE run = ? ORDER BY number DESC LIMIT 1"),
      ready_retries_(db,
                     "UPDATE tasks SET state = 0, due_at = NULL WHERE run = ?1 AND number IN"
                     " (SELECT number FROM tasks INDEXED BY tasks_retry WHERE state = 2"
                     "  AND run = ?1 AND due_at <= ?2 ORDER BY due_at LIMIT ?3)"),
      select_pending_(db,
                      "SELECT number, token, attempt, url, depth, is_baseline"
                      " FROM tasks INDEXED BY tasks_pending"
                      " WHERE state = 0 AND run = ? ORDER BY number LIMIT ?"),
      lease_(db, "UPDATE tasks SET state = 1, token = ? WHERE run = ? AND number = ?"),
      next_due_(db,
                "SELECT due_at FROM tasks INDEXED BY tasks_retry WHERE state = 2 AND run = ?"
                " ORDER BY due_at LIMIT 1"),
      release_(db, "UPDATE tasks SET state = 0 WHERE run = ? AND state = 1"),
      hold_(db,
            "SELECT r.number, r.job, j.id, r.ended_at IS NOT NULL, t.state, t.token, t.url,"
            " t.attempt, t.items_new, t.first_failed_at, t.items_changed FROM runs r"
            " JOIN tasks t ON t.run = r.number LEFT JOIN jobs j ON j.number = r.job"
            " WHERE r.id = ? AND t.number = ?"),
      finish_(
          db,
          "UPDATE tasks SET state = ?, items_seen = ?, items_new = ?, items_changed = ?, bytes = ?,"
          " http_status = ?, error_kind = ?, error = ? WHERE run = ? AND number = ?"),
      put_trace_(db, "INSERT OR REPLACE INTO traces (run, task, trace) VALUES (?, ?, ?)"),
      postpone_(db,
                "UPDATE tasks SET state = 2, attempt = attempt + 1, due_at = ?, wait_ms = ?,"
                " error_kind = ?, error = ?, first_failed_at = coalesce(first_failed_at, ?)"
                " WHERE run = ? AND number = ?"),
      dead_letter_(
          db, "UPDATE tasks SET state = 5, error_kind = ?, error = ? WHERE run = ? AND number = ?"),
      shift_waits_(db,
                   "UPDATE tasks INDEXED BY tasks_retry SET due_at = due_at + ? WHERE state = 2"),
      restart_waits_(db,
                     "UPDATE tasks INDEXED BY tasks_retry SET due_at = ?1 + wait_ms"
                     " WHERE state = 2 AND due_at - wait_ms > ?1") {}

Result<std::int64_t> TaskTable::begin_run(const Run& run, const std::vector<std::string>& urls) {
  auto number = runs_.begin(run, static_cast<std::int64_t>(urls.size()));
  if (!number) return number;
  TaskNumber task = 0;
  for (const std::string& url : urls)
    if (auto done = insert_task_.run(*number, ++task, url); !done) return std::move(done).error();
  return number;
}

Result<TaskBatch> TaskTable::lease(const RunId& run, std::size_t max, WallTime now) {
  auto summary = runs_.unfinished(run);
  if (!summary) return std::move(summary).error();
  auto due = next_due(*summary);
  if (!due) return std::move(due).error();
  if (*due && **due <= now) {
    if (auto ready = ready_retries_.run(summary->number, now, kRetriesPerStep); !ready)
      return std::move(ready).error();
    due = next_due(*summary);
    if (!due) return std::move(due).error();
  }
  auto leases = lease_pending(*summary, run, max);
  if (!leases) return std::move(leases).error();
  return TaskBatch{
      .leases = std::move(*leases), .next_due = *due, .unfinished = summary->open_tasks};
}

Result<std::optional<WallTime>> TaskTable::next_due(const RunTable::Summary& summary) {
  auto rows = next_due_.query(summary.number);
  auto found = rows.next();
  if (!found) return std::move(found).error();
  if (!*found) return std::optional<WallTime>();
  return std::optional(rows.time(0));
}

Result<std::vector<Lease>> TaskTable::lease_pending(const RunTable::Summary& summary,
                                                    const RunId& run, std::size_t max) {
  std::vector<Lease> leases;
  {
    auto rows = select_pending_.query(
        summary.number, static_cast<std::int64_t>(std::min<std::size_t>(max, INT32_MAX)));
    while (true) {
      auto more = rows.next();
      if (!more) return std::move(more).error();
      if (!*more) break;
      const Task task{.run = run,
                      .number = rows.integer(0),
                      .url = std::string(rows.text(3)),
                      .attempt = static_cast<int>(rows.integer(2)),
                      .depth = static_cast<int>(rows.integer(4)),
                      .is_discovered = !rows.is_null(4),
                      .is_baseline = rows.integer(5) != 0};
      leases.push_back({task, rows.integer(1) + 1});
    }
  }
  for (const Lease& lease : leases)
    if (auto taken = lease_.run(lease.token, summary.number, lease.task.number); !taken)
      return std::move(taken).error();
  return leases;
}

Status TaskTable::release(const RunId& run) {
  auto summary = runs_.summary_of(run);
  if (!summary) return std::move(summary).error();
  if (summary->has_ended) return Done{};
  return release_.run(summary->number);
}

Result<HeldTask> TaskTable::hold(const Lease& lease, TaskState target) {
  auto rows = hold_.query(lease.task.run.text, lease.task.number);
  auto found = rows.next();
  if (!found) return std::move(found).error();
  if (!*found)
    return Error{ErrorCode::not_found, "no task " + std::to_string(lease.task.number) +
                                           " of run '" + lease.task.run.text + "' is stored"};
  HeldTask task{.run_number = rows.integer(0),
                .job_number = rows.integer(1),
                .job = {std::string(rows.text(2))},
                .number = lease.task.number,
                .url = std::string(rows.text(6)),
                .attempt = static_cast<int>(rows.integer(7)),
                .items_new = rows.integer(8),
                .items_changed = rows.integer(10),
                .first_failed_at = rows.maybe_integer(9)};
  const TaskState state = task_state_of(rows.integer(4));
  const bool is_newest = rows.integer(5) == lease.token;
  task.is_repeated = is_newest && is_same_end(state, target);
  if (task.is_repeated) return task;
  if (rows.integer(3) != 0) return refusal(lease, "the run has ended");
  if (!is_newest || !can_transition(state, target))
    return refusal(lease, conflict_reason(state, is_newest));
  return task;
}

Status TaskTable::keep_trace(const HeldTask& task, const CycleTrace& trace) {
  const std::string bytes = encode_trace(trace);
  if (bytes.empty()) return Done{};
  return put_trace_.run(task.run_number, task.number, Blob{bytes});
}

Status TaskTable::charge(const RunId& run, const PageCost& cost) {
  auto summary = runs_.unfinished(run);
  if (!summary) return std::move(summary).error();
  return runs_.add_cost(summary->number, cost);
}

Result<std::int64_t> TaskTable::add_found(const HeldTask& task,
                                          const std::vector<FoundPage>& found) {
  if (found.empty()) return std::int64_t{0};
  auto room = runs_.room_of(task.run_number);
  if (!room) return std::move(room).error();
  std::int64_t added = 0;
  if (room->most_pages == 0)
    return added;  // such as a run of dead letters: it repeats single pages
  bool is_full = false;
  for (const FoundPage& page : found) {
    auto known = find_visit_.query(task.run_number, page.visit).next();
    if (!known) return std::move(known).error();
    if (*known) continue;
    is_full = room->pages + added >= room->most_pages;
    if (is_full) break;
    auto number = next_number(task.run_number);
    if (!number) return number;
    auto done = insert_found_.run(task.run_number, *number, page.url, page.visit, page.depth,
                                  page.is_baseline ? 1 : 0);
    if (!done) return std::move(done).error();
    ++added;
  }
  if (is_full)
    if (auto noted = runs_.note_limit(task.run_number, *room); !noted)
      return std::move(noted).error();
  if (added > 0)
    if (auto counted = runs_.add_pages(task.run_number, added); !counted)
      return std::move(counted).error();
  return added;
}

Result<std::int64_t> TaskTable::next_number(std::int64_t run) {
  auto rows = last_task_.query(run);
  auto found = rows.next();
  if (!found) return std::move(found).error();
  return *found ? rows.integer(0) + 1 : 1;
}

Status TaskTable::finish(const HeldTask& task, const TaskOutcome& outcome, const PageResult& page) {
  std::optional<std::string_view> kind;
  std::optional<std::string_view> message;
  if (page.problem.kind != ErrorKind::none) {
    kind = to_text(page.problem.kind);
    message = page.problem.message;
  }
  auto done = finish_.run(code_of(outcome.state), outcome.items_seen, outcome.items_new,
                          outcome.items_changed, outcome.bytes, outcome.http_status, kind, message,
                          task.run_number, task.number);
  if (!done) return done;
  if (auto kept = keep_trace(task, page.trace); !kept) return kept;
  RunContribution added = outcome.for_run;
  added.state = outcome.state;
  added.items_seen = outcome.items_seen;
  added.items_new = outcome.items_new;
  added.items_changed = outcome.items_changed;
  added.bytes = outcome.bytes;
  added.error = page.problem.kind;
  return runs_.close_task(task.run_number, added, page.cost);
}

Status TaskTable::postpone(const TaskRetry& retry) {
  auto task = hold(retry.lease, TaskState::retry);
  if (!task) return std::move(task).error();
  if (task->is_repeated) return Done{};
  const auto failed_at = retry.at == WallTime{} ? std::nullopt : std::optional(retry.at);
  auto done =
      postpone_.run(retry.due_at, (retry.due_at - retry.at).count(), to_text(retry.error.kind),
                    retry.error.message, failed_at, task->run_number, task->number);
  if (!done) return done;
  if (auto added = runs_.add_cost(task->run_number, retry.cost); !added) return added;
  return keep_trace(*task, retry.trace);
}

Status TaskTable::dead_letter(const TaskDeath& death) {
  auto task = hold(death.lease, TaskState::dead);
  if (!task) return std::move(task).error();
  if (task->is_repeated) return Done{};
  const RunError& error = death.error;
  auto done = dead_letter_.run(to_text(error.kind), error.message, task->run_number, task->number);
  if (!done) return done;
  if (auto kept = keep_trace(*task, death.trace); !kept) return kept;
  const RunContribution added{.state = TaskState::dead, .error = error.kind};
  if (auto closed = runs_.close_task(task->run_number, added, death.cost); !closed) return closed;
  return record_death(*task, death);
}

Status TaskTable::record_death(const HeldTask& task, const TaskDeath& death) {
  if (death.keep_dead_letter)
    if (auto added = add_dead_letter(task, death); !added) return added;
  const EventRow event{.at = death.at,
                       .kind = "page.dead",
                       .job = task.job_number,
                       .run = death.lease.task.run.text,
                       .data = {{"url", task.url},
                                {"error_kind", std::string(to_text(death.error.kind))},
                                {"error", death.error.message}}};
  return journal_.add(event);
}

Status TaskTable::add_dead_letter(const HeldTask& task, const TaskDeath& death) {
  auto previous = dead_letters_.previous_attempts(task.run_number, task.number);
  if (!previous) return std::move(previous).error();
  auto first = task.first_failed_at.value_or(death.at.time_since_epoch().count());
  if (*previous) first = std::min(first, (*previous)->first_failed_at);
  const DeadLetterEntry entry{.origin = "page",
                              .job = task.job_number,
                              .run = death.lease.task.run.text,
                              .task = task.number,
                              .delivery = {},
                              .payload = task.url,
                              .error_kind = to_text(death.error.kind),
                              .error = death.error.message,
                              .attempts = task.attempt + (*previous ? (*previous)->attempts : 0),
                              .first_failed_at = WallTime(std::chrono::milliseconds(first)),
                              .last_failed_at = death.at,
                              .slot = death.cost.slot};
  return journal_.add(entry);
}

Status TaskTable::mark_run(const RunId& run, RunState state) {
  return runs_.mark(run, state);
}

Result<Run> TaskTable::end_run(const RunId& id, RunState state, std::vector<RunError> errors,
                               WallTime now) {
  auto summary = runs_.summary_of(id);
  if (!summary) return std::move(summary).error();
  auto run = runs_.end(id, state, std::move(errors), now);
  if (!run || summary->has_ended) return run;
  if (auto restored = dead_letters_.restore_unfinished(summary->number, id.text, now); !restored)
    return std::move(restored).error();
  return run;
}

}  // namespace heddle::store
