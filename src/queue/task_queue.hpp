// Leases the tasks of one run to its page workers.
#pragma once

#include <optional>

#include "base/async.hpp"
#include "base/result.hpp"
#include "model/run/run.hpp"

namespace heddle::queue {

// All calls from one event loop.
class TaskQueue {
 public:
  virtual ~TaskQueue() = default;

  // Returns the next task with its lease. Waits while the remaining tasks are leased or wait for
  // their next attempt; nullopt when none is left or the queue was closed.
  virtual Async<Result<std::optional<Lease>>> take() = 0;

  // Call once per lease, when the task's outcome is stored.
  virtual void task_done() = 0;

  // No further leases; waiting callers get nullopt.
  virtual void close() = 0;
};

}  // namespace heddle::queue
