#include "store/sqlite/tables/program_table.hpp"

#include <utility>

namespace heddle::store {

namespace {

// Per process index: a service restarted for years must not fill the disk.
constexpr std::int64_t kKeptAttempts = 1100;  // more than backoff_limit allows

std::optional<int> maybe_int(const Rows& rows, int column) {
  const auto number = rows.maybe_integer(column);
  return number ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

std::optional<WallTime> maybe_time(const Rows& rows, int column) {
  if (rows.is_null(column)) return std::nullopt;
  return rows.time(column);
}

// Calls `take` for each row.
template <class Take>
Status for_each(Rows rows, Take take) {
  while (true) {
    auto more = rows.next();
    if (!more) return std::move(more).error();
    if (!*more) return Done{};
    take(rows);
  }
}

}  // namespace

ProgramTable::ProgramTable(Connection& db, JournalTable& journal)
    : journal_(journal),
      select_run_(db, "SELECT number, job FROM runs WHERE id = ?"),
      put_process_(db,
                   "INSERT INTO processes (run, process, attempt, state, pid, started_at, ended_at,"
                   " exit_code, signal, peak_memory, cpu_ms, is_ready, problem)"
                   " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                   " ON CONFLICT (run, process, attempt) DO UPDATE SET state = excluded.state,"
                   " pid = excluded.pid, started_at = excluded.started_at,"
                   " ended_at = excluded.ended_at, exit_code = excluded.exit_code,"
                   " signal = excluded.signal, peak_memory = excluded.peak_memory,"
                   " cpu_ms = excluded.cpu_ms, is_ready = excluded.is_ready,"
                   " problem = excluded.problem"),
      forget_processes_(db, "DELETE FROM processes WHERE run = ? AND process = ? AND attempt <= ?"),
      put_hook_(db,
                "INSERT INTO hook_tries (run, hook, attempt, phase, state, started_at, ended_at,"
                " exit_code, signal, output) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (run, hook, attempt) DO UPDATE SET phase = excluded.phase,"
                " state = excluded.state, started_at = excluded.started_at,"
                " ended_at = excluded.ended_at, exit_code = excluded.exit_code,"
                " signal = excluded.signal, output = excluded.output"),
      put_stage_(db,
                 "INSERT OR REPLACE INTO run_courses (run, stage, result, exit_code, signal,"
                 " reason, message, never_started) VALUES (?, ?, ?, ?, ?, ?, ?, ?)") {}

Result<ProgramTable::RunNumbers> ProgramTable::numbers_of(const RunId& run) {
  auto rows = select_run_.query(run.text);
  auto found = rows.next();
  if (!found) return std::move(found).error();
  if (!*found) return Error{ErrorCode::not_found, "there is no run " + run.text};
  return RunNumbers{rows.integer(0), rows.integer(1)};
}

Status ProgramTable::record(const ProcessRecord& process) {
  auto numbers = numbers_of(process.run);
  if (!numbers) return std::move(numbers).error();
  auto put = put_process_.run(numbers->run, process.index, process.attempt, to_text(process.state),
                              process.pid, process.started_at, process.ended_at, process.exit.code,
                              process.exit.signal, process.peak_memory_bytes,
                              static_cast<std::int64_t>(process.cpu_time.count()),
                              process.is_ready ? 1 : 0, unless_empty(process.problem));
  if (!put) return put;
  const std::int64_t oldest = process.attempt - kKeptAttempts;
  if (oldest > 0)
    if (auto done = forget_processes_.run(numbers->run, process.index, oldest); !done) return done;
  return add_event(*numbers, process);
}

Status ProgramTable::record(const HookRecord& hook) {
  auto numbers = numbers_of(hook.run);
  if (!numbers) return std::move(numbers).error();
  auto put = put_hook_.run(numbers->run, hook.hook, hook.attempt, to_text(hook.phase),
                           to_text(hook.state), hook.started_at, hook.ended_at, hook.exit.code,
                           hook.exit.signal, unless_empty(hook.output));
  if (!put) return put;
  return add_event(*numbers, hook);
}

Status ProgramTable::record(const RunId& run, const RunStageRecord& stage_record) {
  auto numbers = numbers_of(run);
  if (!numbers) return std::move(numbers).error();
  const RunOutcome outcome = stage_record.outcome.value_or(RunOutcome{});
  const auto result = stage_record.outcome ? std::optional(to_text(outcome.state)) : std::nullopt;
  return put_stage_.run(numbers->run, to_text(stage_record.stage), result, outcome.exit.code,
                        outcome.exit.signal, unless_empty(to_text(outcome.reason)),
                        unless_empty(outcome.message), outcome.never_started ? 1 : 0);
}

Status ProgramTable::add_event(const RunNumbers& numbers, const HookRecord& hook) {
  const bool is_worth_it = hook.state == HookState::failed || hook.state == HookState::timed_out ||
                           hook.state == HookState::interrupted;
  if (!is_worth_it || !hook.ended_at) return Done{};
  EventRow event{.at = *hook.ended_at,
                 .kind = "hook.failed",
                 .job = numbers.job,
                 .run = hook.run.text,
                 .data = {}};
  event.data.push_back({"phase", std::string(to_text(hook.phase))});
  event.data.push_back({"hook", hook.hook});
  event.data.push_back({"attempt", std::to_string(hook.attempt)});
  event.data.push_back({"state", std::string(to_text(hook.state))});
  event.data.push_back({"end", describe(hook.exit)});
  return journal_.add(event);
}

Status ProgramTable::add_event(const RunNumbers& numbers, const ProcessRecord& process) {
  const bool is_worth_it =
      process.state == ProcessState::failed || process.state == ProcessState::interrupted;
  if (!is_worth_it || !process.ended_at) return Done{};
  EventRow event{.at = *process.ended_at,
                 .kind = "process.failed",
                 .job = numbers.job,
                 .run = process.run.text,
                 .data = {}};
  event.data.push_back({"index", std::to_string(process.index)});
  event.data.push_back({"attempt", std::to_string(process.attempt)});
  event.data.push_back({"state", std::string(to_text(process.state))});
  event.data.push_back({"end", process.problem.empty() ? describe(process.exit) : process.problem});
  return journal_.add(event);
}

ProgramRows::ProgramRows(Connection& db)
    : stage_(db,
             "SELECT c.stage, c.result, c.exit_code, c.signal, coalesce(c.reason, ''),"
             " coalesce(c.message, ''), c.never_started FROM runs r JOIN run_courses c"
             " ON c.run = r.number WHERE r.id = ?"),
      processes_(db,
                 "SELECT p.process, p.attempt, p.state, p.pid, p.started_at, p.ended_at,"
                 " p.exit_code, p.signal, p.peak_memory, p.cpu_ms, p.is_ready,"
                 " coalesce(p.problem, '') FROM runs r JOIN processes p ON p.run = r.number"
                 " WHERE r.id = ? ORDER BY p.id"),
      hooks_(db,
             "SELECT h.hook, h.attempt, h.phase, h.state, h.started_at, h.ended_at, h.exit_code,"
             " h.signal, coalesce(h.output, '') FROM runs r JOIN hook_tries h"
             " ON h.run = r.number WHERE r.id = ? ORDER BY h.id") {}

Result<ProgramHistory> ProgramRows::of(const RunId& run) {
  ProgramHistory history;
  if (auto done = add_stage(run, history); !done) return std::move(done).error();
  if (auto done = add_processes(run, history); !done) return std::move(done).error();
  if (auto done = add_hooks(run, history); !done) return std::move(done).error();
  return history;
}

// An unknown stage reads as the one that starts nothing again.
Status ProgramRows::add_stage(const RunId& run, ProgramHistory& history) {
  return for_each(stage_.query(run.text), [&history](const Rows& rows) {
    RunStageRecord stage_record;
    stage_record.stage = run_stage_from(rows.text(0)).value_or(RunStage::finishing);
    if (stage_record.stage == RunStage::finishing) {
      RunOutcome outcome;
      outcome.state = run_state_from(rows.text(1)).value_or(RunState::failed);
      outcome.exit = {maybe_int(rows, 2), maybe_int(rows, 3)};
      outcome.reason = error_kind_from(rows.text(4));
      outcome.message = rows.text(5);
      outcome.never_started = rows.integer(6) != 0;
      stage_record.outcome = std::move(outcome);
    }
    history.stage_record = std::move(stage_record);
  });
}

Status ProgramRows::add_processes(const RunId& run, ProgramHistory& history) {
  return for_each(processes_.query(run.text), [&run, &history](const Rows& rows) {
    ProcessRecord process;
    process.run = run;
    process.index = static_cast<int>(rows.integer(0));
    process.attempt = static_cast<int>(rows.integer(1));
    process.state = process_state_from(rows.text(2)).value_or(ProcessState::failed);
    process.pid = rows.integer(3);
    process.started_at = rows.time(4);
    process.ended_at = maybe_time(rows, 5);
    process.exit = {maybe_int(rows, 6), maybe_int(rows, 7)};
    process.peak_memory_bytes = rows.integer(8);
    process.cpu_time = std::chrono::milliseconds(rows.integer(9));
    process.is_ready = rows.integer(10) != 0;
    process.problem = rows.text(11);
    history.processes.push_back(std::move(process));
  });
}

Status ProgramRows::add_hooks(const RunId& run, ProgramHistory& history) {
  return for_each(hooks_.query(run.text), [&run, &history](const Rows& rows) {
    HookRecord hook;
    hook.run = run;
    hook.hook = rows.text(0);
    hook.attempt = static_cast<int>(rows.integer(1));
    hook.phase = hook_phase_from(rows.text(2)).value_or(HookPhase::pre_start);
    hook.state = hook_state_from(rows.text(3)).value_or(HookState::failed);
    hook.started_at = rows.time(4);
    hook.ended_at = maybe_time(rows, 5);
    hook.exit = {maybe_int(rows, 6), maybe_int(rows, 7)};
    hook.output = rows.text(8);
    history.hooks.push_back(std::move(hook));
  });
}

}  // namespace heddle::store
