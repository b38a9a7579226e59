// Interface of the work of a run between its hooks: pages, processes or a service. One event loop.
#pragma once

#include <functional>

#include "base/async.hpp"
#include "base/result.hpp"
#include "model/run/execution_result.hpp"

namespace heddle::commands {

class RunWork {
 public:
  virtual ~RunWork() = default;

  // Returns when the work is done or ended. Call it once. `on_started` is called when the work has
  // actually started. An error: its progress could not be recorded.
  virtual Async<Result<ExecutionResult>> work(std::function<void()> on_started) = 0;

  // Running parts finish or are requested to stop; forced, they are not waited for. May be called
  // before work() and repeatedly: a pause can still become a cancel or stop.
  virtual void halt(Halt how) = 0;
};

}  // namespace heddle::commands
