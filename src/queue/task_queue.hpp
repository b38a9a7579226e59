// Hands the tasks of one run to whoever works on them.
#pragma once

#include <optional>

#include "base/async.hpp"
#include "base/result.hpp"
#include "model/run.hpp"

namespace heddle::queue {

// All calls from one event loop.
class TaskQueue {
 public:
  virtual ~TaskQueue() = default;

  // The next task, with the right to work on it. Waits while the only tasks left are being worked
  // on or wait for their next try; nullopt when none is left or the queue was closed.
  virtual Async<Result<std::optional<Lease>>> take() = 0;

  // The holder of a lease is through with it, its outcome is stored: must be called once per lease.
  virtual void settled() = 0;

  // No further leases; waiting takers get nullopt.
  virtual void close() = 0;
};

}  // namespace heddle::queue
