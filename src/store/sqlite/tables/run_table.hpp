// The rows of runs: RunRows reads them, for the writer, the store's reader thread and SqliteReader;
// RunTable writes them and refuses what the transition table of runs does not allow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/ids.hpp"
#include "base/result.hpp"
#include "model/run/page_result.hpp"
#include "model/run/run.hpp"
#include "store/sqlite/core/statement.hpp"
#include "store/sqlite/tables/job_numbers.hpp"
#include "store/sqlite/tables/journal_table.hpp"
#include "store/store.hpp"

namespace heddle::store {

// Stored values; the partial indexes of the schema use 0 and 2.
constexpr std::int64_t code_of(TaskState state) {
  switch (state) {
    case TaskState::pending:
      return 0;
    case TaskState::processing:
      return 1;
    case TaskState::retry:
      return 2;
    case TaskState::done:
      return 3;
    case TaskState::skipped:
      return 4;
    case TaskState::dead:
      return 5;
  }
  return -1;
}

// An unknown value reads as `dead`: such a task is never leased.
constexpr TaskState task_state_of(std::int64_t code) {
  for (const TaskState state : {TaskState::pending, TaskState::processing, TaskState::retry,
                                TaskState::done, TaskState::skipped})
    if (code_of(state) == code) return state;
  return TaskState::dead;
}

// On the thread of its connection.
class RunRows {
 public:
  explicit RunRows(Connection& db);

  struct Row {
    std::int64_t number = 0;
    Run run;
  };

  // An unfinished run has the errors of its tasks.
  Result<std::optional<Run>> find(const RunId& id);
  // Newest first, with a smaller number than `before`.
  Result<std::vector<Row>> of_job(const JobId& job, std::size_t max, std::int64_t before);
  Result<std::vector<Run>> unfinished();  // oldest first

  // See Store::usage_since.
  Result<JobUsage> usage_since(std::int64_t job, WallTime since);

 private:
  Result<std::vector<Row>> collect(Rows rows);
  Status list_problems(std::int64_t run_number, Run& run);
  static Row read(const Rows& rows);

  Statement by_id_;
  Statement by_job_;
  Statement unfinished_;
  Statement usage_;
  Statement failed_;
};

// What a finished task adds to its run.
struct RunContribution {
  TaskState state = TaskState::done;
  std::int64_t items_seen = 0;
  std::int64_t items_new = 0;
  std::int64_t items_changed = 0;
  std::int64_t bytes = 0;
  std::int64_t items_gone = 0;
  bool is_changed = false;  // the page differs from its previous version
  std::optional<std::int64_t> price_changes{};
  ErrorKind error = ErrorKind::none;
};

// Writer thread only.
class RunTable {
 public:
  struct Summary {
    std::int64_t number = 0;
    RunState state = RunState::in_progress;
    bool has_ended = false;
    std::int64_t open_tasks = 0;
  };

  // What limits the pages that a run finds.
  struct Room {
    std::int64_t pages = 0;
    std::int64_t most_pages = 0;
    std::string errors{};  // those it began with, as stored
  };

  RunTable(Connection& db, JobNumbers& jobs, JournalTable& journal);

  // Returns the run's number.
  Result<std::int64_t> begin(const Run& run, std::int64_t pages);
  Result<Summary> summary_of(const RunId& run);
  Result<Summary> unfinished(const RunId& run);  // `conflict` when it has ended
  Status add_cost(std::int64_t run, const PageCost& cost);
  Status close_task(std::int64_t run, const RunContribution& task, const PageCost& cost);
  Result<Room> room_of(std::int64_t run);
  Status add_pages(std::int64_t run, std::int64_t pages);
  // Once per run: it ends as limited.
  Status note_limit(std::int64_t run, const Room& room);
  Status mark(const RunId& run, RunState state);
  Result<Run> end(const RunId& id, RunState state, std::vector<RunError> errors, WallTime now);

 private:
  Status keep_warning(const Run& run, std::vector<RunError>& errors);

  JobNumbers& jobs_;
  JournalTable& journal_;
  RunRows rows_;
  Statement insert_;
  Statement summary_;
  Statement add_cost_;
  Statement close_task_;
  Statement room_;
  Statement add_pages_;
  Statement set_errors_;
  Statement mark_;
  Statement end_;
  Statement warning_;
};

}  // namespace heddle::store
