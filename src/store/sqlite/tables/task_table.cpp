#include "store/sqlite/tables/task_table.hpp"

#include <algorithm>

#include "store/sqlite/tables/json_text.hpp"
#include "store/sqlite/tables/pages/trace_blob.hpp"

namespace heddle::store {

namespace {

// Due retries become pending in batches: a long outage may leave very many.
constexpr std::int64_t kRetriesPerStep = 4096;

Error no_such_run(const RunId& run) {
  return {ErrorCode::not_found, "no run '" + run.text + "' is stored"};
}

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
  if (state == TaskState::pending || state == TaskState::retry) return "the lease was given back";
  return "the task has ended otherwise";
}

// A run has few workers, usually one: their slots are stored as a short text, "0,2".
const std::string kAddCost =  // NOLINT(cert-err58-cpp): cannot throw in practice
    " cpu_us = cpu_us + ?2, slots = CASE"
    " WHEN ?3 IS NULL OR instr(',' || slots || ',', ',' || ?3 || ',') > 0 THEN slots"
    " ELSE coalesce(slots || ',', '') || ?3 END";

// A worker's report must not lower the cost of a run.
std::int64_t cpu_of(const PageCost& cost) {
  return std::max<std::int64_t>(0, cost.cpu.count());
}

}  // namespace

TaskTable::TaskTable(Connection& db, JobNumbers& jobs, JournalTable& journal,
                     InFlightDeadLetters& dead_letters)
    : jobs_(jobs),
      journal_(journal),
      dead_letters_(dead_letters),
      runs_(db),
      insert_run_(db,
                  "INSERT OR IGNORE INTO runs (id, job, state, trigger_kind, attempt, revision,"
                  " started_at, open_tasks, pages_total, errors)"
                  " VALUES (?, ?, ?, ?, ?, ?, ?, ?8, ?8, ?9)"),
      insert_task_(db,
                   "INSERT INTO tasks (run, number, state, token, attempt, url)"
                   " VALUES (?, ?, 0, 0, 1, ?)"),
      select_summary_(db, "SELECT number, ended_at IS NOT NULL, open_tasks FROM runs WHERE id = ?"),
      ready_retries_(db,
                     "UPDATE tasks SET state = 0, due_at = NULL WHERE run = ?1 AND number IN"
                     " (SELECT number FROM tasks INDEXED BY tasks_retry WHERE state = 2"
                     "  AND run = ?1 AND due_at <= ?2 ORDER BY due_at LIMIT ?3)"),
      select_pending_(db,
                      "SELECT number, token, attempt, url FROM tasks INDEXED BY tasks_pending"
                      " WHERE state = 0 AND run = ? ORDER BY number LIMIT ?"),
      lease_(db, "UPDATE tasks SET state = 1, token = ? WHERE run = ? AND number = ?"),
      next_due_(db,
                "SELECT due_at FROM tasks INDEXED BY tasks_retry WHERE state = 2 AND run = ?"
                " ORDER BY due_at LIMIT 1"),
      release_(db, "UPDATE tasks SET state = 0 WHERE run = ? AND state = 1"),
      hold_(db,
            "SELECT r.number, r.job, j.id, r.ended_at IS NOT NULL, t.state, t.token, t.url,"
            " t.attempt, t.items_new, t.first_failed_at FROM runs r"
            " JOIN tasks t ON t.run = r.number LEFT JOIN jobs j ON j.number = r.job"
            " WHERE r.id = ? AND t.number = ?"),
      finish_(db,
              "UPDATE tasks SET state = ?, items_seen = ?, items_new = ?, bytes = ?,"
              " http_status = ?, error_kind = NULL, error = NULL WHERE run = ? AND number = ?"),
      close_(db,
             "UPDATE runs SET open_tasks = open_tasks - 1, items_gone = items_gone + ?4,"
             " changes = changes + ?5, price_changes = iif(?6 IS NULL, price_changes,"
             " coalesce(price_changes, 0) + ?6)," +
                 kAddCost + " WHERE number = ?1"),
      add_cost_(db, "UPDATE runs SET" + kAddCost + " WHERE number = ?1"),
      put_trace_(db, "INSERT OR REPLACE INTO traces (run, task, trace) VALUES (?, ?, ?)"),
      postpone_(db,
                "UPDATE tasks SET state = 2, attempt = attempt + 1, due_at = ?, error_kind = ?,"
                " error = ?, first_failed_at = coalesce(first_failed_at, ?)"
                " WHERE run = ? AND number = ?"),
      dead_letter_(
          db, "UPDATE tasks SET state = 5, error_kind = ?, error = ? WHERE run = ? AND number = ?"),
      mark_run_(db, "UPDATE runs SET state = ? WHERE number = ?"),
      end_run_(db,
               "UPDATE runs SET state = ?, ended_at = ?, pages_total = ?, pages_done = ?,"
               " pages_failed = ?, pages_skipped = ?, items_seen = ?, items_new = ?,"
               " items_changed = ?, bytes = ?, errors = ?, cpu_us = cpu_us + 1000 *"
               " (SELECT coalesce(sum(cpu_ms), 0) FROM processes WHERE processes.run = runs.number)"
               " WHERE id = ?") {}

Result<std::int64_t> TaskTable::begin_run(const Run& run, const std::vector<std::string>& urls) {
  auto job = jobs_.number_of(run.job);
  if (!job) return std::move(job).error();
  const auto count = static_cast<std::int64_t>(urls.size());
  std::optional<std::string> errors;
  if (!run.errors.empty()) errors = errors_to_json(run.errors);
  auto inserted =
      insert_run_.change(run.id.text, *job, to_text(RunState::in_progress), to_text(run.trigger),
                         run.attempt, run.revision, run.started_at, count, errors);
  if (!inserted) return std::move(inserted).error();
  if (*inserted == 0) return Error{ErrorCode::conflict, "run " + run.id.text + " exists already"};

  auto summary = summary_of(run.id);
  if (!summary) return std::move(summary).error();
  TaskNumber number = 0;
  for (const std::string& url : urls)
    if (auto done = insert_task_.run(summary->number, ++number, url); !done)
      return std::move(done).error();
  const EventRow event{
      .at = run.started_at,
      .kind = "run.started",
      .job = *job,
      .run = run.id.text,
      .data = {{"trigger", std::string(to_text(run.trigger))}, {"pages", std::to_string(count)}}};
  if (auto added = journal_.add(event); !added) return std::move(added).error();
  return summary->number;
}

Result<TaskTable::RunSummary> TaskTable::summary_of(const RunId& run) {
  auto rows = select_summary_.query(run.text);
  auto found = rows.next();
  if (!found) return std::move(found).error();
  if (!*found) return no_such_run(run);
  return RunSummary{rows.integer(0), rows.integer(1) != 0, rows.integer(2)};
}

Result<TaskBatch> TaskTable::lease(const RunId& run, std::size_t max, WallTime now) {
  auto summary = summary_of(run);
  if (!summary) return std::move(summary).error();
  if (summary->has_ended) return Error{ErrorCode::conflict, "run " + run.text + " has ended"};
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

Result<std::optional<WallTime>> TaskTable::next_due(const RunSummary& summary) {
  auto rows = next_due_.query(summary.number);
  auto found = rows.next();
  if (!found) return std::move(found).error();
  if (!*found) return std::optional<WallTime>();
  return std::optional(rows.time(0));
}

Result<std::vector<Lease>> TaskTable::lease_pending(const RunSummary& summary, const RunId& run,
                                                    std::size_t max) {
  std::vector<Lease> leases;
  {
    auto rows = select_pending_.query(
        summary.number, static_cast<std::int64_t>(std::min<std::size_t>(max, INT32_MAX)));
    while (true) {
      auto more = rows.next();
      if (!more) return std::move(more).error();
      if (!*more) break;
      const Task task{run, rows.integer(0), std::string(rows.text(3)),
                      static_cast<int>(rows.integer(2))};
      leases.push_back({task, rows.integer(1) + 1});
    }
  }
  for (const Lease& lease : leases)
    if (auto taken = lease_.run(lease.token, summary.number, lease.task.number); !taken)
      return std::move(taken).error();
  return leases;
}

Status TaskTable::release(const RunId& run) {
  auto summary = summary_of(run);
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
                .first_failed_at = rows.maybe_integer(9)};
  const TaskState state = task_state_of(rows.integer(4));
  const bool is_newest = rows.integer(5) == lease.token;
  task.is_repeated = is_newest && is_same_end(state, target);
  if (task.is_repeated) return task;
  if (rows.integer(3) != 0) return refusal(lease, "the run has ended");
  if (!is_newest || state != TaskState::processing)
    return refusal(lease, conflict_reason(state, is_newest));
  return task;
}

Status TaskTable::keep_trace(const HeldTask& task, const CycleTrace& trace) {
  const std::string bytes = encode_trace(trace);
  if (bytes.empty()) return Done{};
  return put_trace_.run(task.run_number, task.number, Blob{bytes});
}

Status TaskTable::close_task(const HeldTask& task, const TaskOutcome& outcome,
                             const PageCost& cost) {
  return close_.run(task.run_number, cpu_of(cost), cost.slot, outcome.items_gone,
                    outcome.is_changed ? 1 : 0, outcome.price_changes);
}

Status TaskTable::add_cost(std::int64_t run, const PageCost& cost) {
  if (cpu_of(cost) == 0 && !cost.slot) return Done{};
  return add_cost_.run(run, cpu_of(cost), cost.slot);
}

Status TaskTable::charge(const RunId& run, const PageCost& cost) {
  auto summary = summary_of(run);
  if (!summary) return std::move(summary).error();
  if (summary->has_ended) return Error{ErrorCode::conflict, "run " + run.text + " has ended"};
  return add_cost(summary->number, cost);
}

Status TaskTable::finish(const HeldTask& task, const TaskOutcome& outcome, const PageResult& page) {
  auto done = finish_.run(code_of(outcome.state), outcome.items_seen, outcome.items_new,
                          outcome.bytes, outcome.http_status, task.run_number, task.number);
  if (!done) return done;
  if (auto kept = keep_trace(task, page.trace); !kept) return kept;
  return close_task(task, outcome, page.cost);
}

Status TaskTable::postpone(const TaskRetry& retry) {
  auto task = hold(retry.lease, TaskState::retry);
  if (!task) return std::move(task).error();
  if (task->is_repeated) return Done{};
  const auto failed_at = retry.at == WallTime{} ? std::nullopt : std::optional(retry.at);
  auto done = postpone_.run(retry.due_at, to_text(retry.error.kind), retry.error.message, failed_at,
                            task->run_number, task->number);
  if (!done) return done;
  if (auto added = add_cost(task->run_number, retry.cost); !added) return added;
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
  if (auto closed = close_task(*task, {}, death.cost); !closed) return closed;

  if (death.keep_dead_letter)
    if (auto added = add_dead_letter(*task, death); !added) return added;
  const EventRow event{.at = death.at,
                       .kind = "page.dead",
                       .job = task->job_number,
                       .run = death.lease.task.run.text,
                       .data = {{"url", task->url},
                                {"error_kind", std::string(to_text(error.kind))},
                                {"error", error.message}}};
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
  if (is_terminal(state))
    return Error{ErrorCode::bad_input, "a run cannot be marked '" + std::string(to_text(state)) +
                                           "': that is how it ends"};
  auto summary = summary_of(run);
  if (!summary) return std::move(summary).error();
  if (summary->has_ended) return Error{ErrorCode::conflict, "run " + run.text + " has ended"};
  return mark_run_.run(to_text(state), summary->number);
}

Result<Run> TaskTable::end_run(const RunId& id, RunState state, std::vector<RunError> errors,
                               WallTime now) {
  if (!is_terminal(state))
    return Error{ErrorCode::bad_input,
                 "a run cannot end in state '" + std::string(to_text(state)) + "'"};
  auto found = runs_.find(id);
  if (!found) return std::move(found).error();
  if (!*found) return no_such_run(id);
  Run run = std::move(**found);
  if (run.ended_at) return run;

  run.state = state;
  run.ended_at = now;
  run.errors = std::move(errors);
  run.errors.resize(std::min(run.errors.size(), kKeptRunErrors));
  auto done = end_run_.run(to_text(state), now, run.pages.total, run.pages.done, run.pages.failed,
                           run.pages.skipped, run.items.seen, run.items.fresh, run.items.changed,
                           run.bytes, errors_to_json(run.errors), id.text);
  if (!done) return std::move(done).error();
  auto ended = runs_.find(id);
  if (!ended) return std::move(ended).error();
  if (*ended) run.cpu = (*ended)->cpu;  // includes its processes
  auto job = jobs_.number_of(run.job);
  if (!job) return std::move(job).error();
  const EventRow event{.at = now,
                       .kind = "run.ended",
                       .job = *job,
                       .run = id.text,
                       .data = {{"state", std::string(to_text(state))}}};
  if (auto added = journal_.add(event); !added) return std::move(added).error();
  auto summary = summary_of(id);
  if (!summary) return std::move(summary).error();
  if (auto restored = dead_letters_.restore_unfinished(summary->number, id.text, now); !restored)
    return std::move(restored).error();
  return run;
}

}  // namespace heddle::store
