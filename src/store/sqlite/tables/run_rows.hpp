// Reads runs; used by the writer, the store's reader thread and SqliteReader. Same thread as its
// connection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/ids.hpp"
#include "base/result.hpp"
#include "model/run/run.hpp"
#include "store/sqlite/core/statement.hpp"
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

class RunRows {
 public:
  explicit RunRows(Connection& db);

  // An unfinished run has the counts and errors of its tasks.
  Result<std::optional<Run>> find(const RunId& id);
  Result<std::vector<Run>> of_job(const JobId& job, std::size_t max);  // newest first
  Result<std::vector<Run>> unfinished();                               // oldest first

  // See Store::usage_since.
  Result<JobUsage> usage_since(std::int64_t job, WallTime since);

  Status sum_up(std::int64_t run_number, Run& run);

 private:
  struct Row {
    std::int64_t number = 0;
    Run run;
  };

  Result<std::vector<Run>> collect(Rows rows);
  Status add_task_counts(Row& row);
  Status list_failures(std::int64_t run_number, Run& run);
  static Row read(const Rows& rows);

  Statement by_id_;
  Statement by_job_;
  Statement unfinished_;
  Statement usage_;
  Statement counts_;
  Statement dead_;
};

}  // namespace heddle::store
