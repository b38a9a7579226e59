// Stores runs and their tasks, leases tasks and records their outcomes. Writer thread only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/run/page_result.hpp"
#include "store/sqlite/core/statement.hpp"
#include "store/sqlite/tables/in_flight_dead_letters.hpp"
#include "store/sqlite/tables/journal_table.hpp"
#include "store/sqlite/tables/run_table.hpp"
#include "store/store.hpp"

namespace heddle::store {

// A leased task when its holder reports the outcome.
struct HeldTask {
  bool is_repeated = false;  // the same outcome was reported before: nothing to do
  std::int64_t run_number = 0;
  std::int64_t job_number = 0;
  JobId job;
  TaskNumber number = 0;
  std::string url;
  int attempt = 1;
  std::int64_t items_new = 0;
  std::int64_t items_changed = 0;
  std::optional<std::int64_t> first_failed_at;
};

// The result columns of a finished task.
struct TaskOutcome {
  TaskState state = TaskState::done;
  std::int64_t items_seen = 0;
  std::int64_t items_new = 0;
  std::int64_t items_changed = 0;
  std::int64_t bytes = 0;
  int http_status = 0;
  RunContribution for_run{};
};

class TaskTable {
 public:
  TaskTable(Connection& db, JobNumbers& jobs, JournalTable& journal,
            InFlightDeadLetters& dead_letters);

  // Returns the run's number.
  Result<std::int64_t> begin_run(const Run& run, const std::vector<std::string>& urls);
  Result<TaskBatch> lease(const RunId& run, std::size_t max, WallTime now);
  Status release(const RunId& run);
  Status mark_run(const RunId& run, RunState state);
  Result<Run> end_run(const RunId& id, RunState state, std::vector<RunError> errors, WallTime now);

  // `conflict` unless the lease is the task's newest and its run is unfinished. A task that is
  // already in state `target` with this token is a repetition.
  Result<HeldTask> hold(const Lease& lease, TaskState target);
  // Adds the pages that the task's page has found and the run does not have yet, as far as it has
  // room for them. Returns how many.
  Result<std::int64_t> add_found(const HeldTask& task, const std::vector<FoundPage>& found);
  Status finish(const HeldTask& task, const TaskOutcome& outcome, const PageResult& page);
  // The dead letter and the event of a task that has become dead.
  Status record_death(const HeldTask& task, const TaskDeath& death);
  Status postpone(const TaskRetry& retry);
  Status dead_letter(const TaskDeath& death);
  Status charge(const RunId& run, const PageCost& cost);
  // See Store.
  Status shift_waits(std::chrono::milliseconds by) { return shift_waits_.run(by.count()); }
  Status restart_waits_after(WallTime now) { return restart_waits_.run(now); }

 private:
  Result<std::optional<WallTime>> next_due(const RunTable::Summary& summary);
  Result<std::vector<Lease>> lease_pending(const RunTable::Summary& summary, const RunId& run,
                                           std::size_t max);
  Result<std::int64_t> next_number(std::int64_t run);
  Status keep_trace(const HeldTask& task, const CycleTrace& trace);
  Status add_dead_letter(const HeldTask& task, const TaskDeath& death);

  JournalTable& journal_;
  InFlightDeadLetters& dead_letters_;
  RunTable runs_;
  Statement insert_task_;
  Statement find_visit_;
  Statement insert_found_;
  Statement last_task_;
  Statement ready_retries_;
  Statement select_pending_;
  Statement lease_;
  Statement next_due_;
  Statement release_;
  Statement hold_;
  Statement finish_;
  Statement put_trace_;
  Statement postpone_;
  Statement dead_letter_;
  Statement shift_waits_;
  Statement restart_waits_;
};

}  // namespace heddle::store
