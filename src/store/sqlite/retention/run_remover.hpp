// Removes runs with all dependent rows, a few rows at a time. Writer thread only.
#pragma once

#include <cstdint>

#include "base/result.hpp"
#include "store/sqlite/core/statement.hpp"
#include "store/sqlite/retention/batch_pacer.hpp"

namespace heddle::store {

class RunRemover {
 public:
  explicit RunRemover(Connection& db);

  // These return true when the run's rows are gone, false when the deadline has passed.
  Result<bool> remove_traces(std::int64_t run, const BatchDeadline& deadline);
  Result<bool> remove_parts(std::int64_t run, const BatchDeadline& deadline);  // all dependent rows

  // Removes the run itself, after its dependent rows.
  Status remove(std::int64_t run);
  // Adds the run to the daily sums of its job first.
  Status remove_into_day(std::int64_t run, std::int64_t day);

  // Returns an estimate of the bytes freed since the last call.
  std::int64_t take_bytes() { return std::exchange(bytes_, 0); }

 private:
  // Deletes some rows; returns how many.
  Result<int> remove_some(Statement& select, Statement& remove, std::int64_t run);
  Result<bool> remove_all(Statement& select, Statement& remove, std::int64_t run,
                          const BatchDeadline& deadline);

  Statement some_traces_;
  Statement delete_trace_;
  Statement some_tasks_;
  Statement delete_task_;
  Statement some_processes_;
  Statement delete_process_;
  Statement some_hooks_;
  Statement delete_hook_;
  Statement delete_stage_;
  Statement add_to_day_;
  Statement delete_run_;
  std::int64_t bytes_ = 0;
};

}  // namespace heddle::store
