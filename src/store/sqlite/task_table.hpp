// Runs and their tasks: who may work on what, and what became of it. Writer thread only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/page_result.hpp"
#include "store/sqlite/job_numbers.hpp"
#include "store/sqlite/journal_table.hpp"
#include "store/sqlite/letters_in_hand.hpp"
#include "store/sqlite/run_rows.hpp"
#include "store/sqlite/statement.hpp"
#include "store/store.hpp"

namespace heddle::store {

// A task as its lease holder finds it when he comes back.
struct HeldTask {
  bool is_repeated = false;  // he was here before with the same answer: nothing is left to do
  std::int64_t run_number = 0;
  std::int64_t job_number = 0;
  JobId job;
  TaskNumber number = 0;
  std::string url;
  int attempt = 1;
  std::int64_t items_new = 0;
  std::optional<std::int64_t> first_failed_at;
};

// What a finished task leaves in its row.
struct TaskOutcome {
  TaskState state = TaskState::done;
  std::int64_t items_seen = 0;
  std::int64_t items_new = 0;
  std::int64_t bytes = 0;
  int http_status = 0;
  std::int64_t items_gone = 0;
  bool is_changed = false;  // the page differs from its version before
  std::optional<std::int64_t> price_changes{};
};

class TaskTable {
 public:
  TaskTable(Connection& db, JobNumbers& jobs, JournalTable& journal, LettersInHand& letters);

  // The run's number.
  Result<std::int64_t> begin_run(const Run& run, const std::vector<std::string>& urls);
  Result<TaskBatch> lease(const RunId& run, std::size_t max, WallTime now);
  Status release(const RunId& run);
  Status mark_run(const RunId& run, RunState state);
  Result<Run> end_run(const RunId& id, RunState state, std::vector<RunError> errors, WallTime now);

  // `conflict` unless the lease is the task's newest and its run goes on. `meant` is the state
  // the holder wants to reach: a task that is there already with this token is a repetition.
  Result<HeldTask> hold(const Lease& lease, TaskState meant);
  Status finish(const HeldTask& task, const TaskOutcome& outcome, const PageResult& page);
  Status postpone(const TaskRetry& retry);
  Status bury(const TaskDeath& death);
  Status charge(const RunId& run, const PageCost& cost);

 private:
  struct RunHead {
    std::int64_t number = 0;
    bool has_ended = false;
    std::int64_t open_tasks = 0;
  };

  Result<RunHead> head_of(const RunId& run);
  Result<std::optional<WallTime>> next_due(const RunHead& head);
  Result<std::vector<Lease>> take_pending(const RunHead& head, const RunId& run, std::size_t max);
  Status keep_trace(const HeldTask& task, const CycleTrace& trace);
  Status close_task(const HeldTask& task, const TaskOutcome& outcome, const PageCost& cost);
  Status add_cost(std::int64_t run, const PageCost& cost);
  Status write_letter(const HeldTask& task, const TaskDeath& death);

  JobNumbers& jobs_;
  JournalTable& journal_;
  LettersInHand& letters_;
  RunRows runs_;
  Statement insert_run_;
  Statement insert_task_;
  Statement select_head_;
  Statement ready_retries_;
  Statement select_pending_;
  Statement take_;
  Statement next_due_;
  Statement release_;
  Statement hold_;
  Statement finish_;
  Statement close_;
  Statement add_cost_;
  Statement put_trace_;
  Statement postpone_;
  Statement bury_;
  Statement mark_run_;
  Statement end_run_;
};

}  // namespace heddle::store
