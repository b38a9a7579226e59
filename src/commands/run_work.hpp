// Interface of the work of a run between its hooks: pages, processes or a service. One event loop.
#pragma once

#include <functional>

#include "base/async.hpp"
#include "base/result.hpp"
#include "model/run/program_run.hpp"

namespace heddle::commands {

// Why work ends before it is done.
enum class Ending {
  pause,   // the run will be resumed
  cancel,  // the run ends, the job keeps its schedule
  stop,    // the run and the job end
  leave,   // the daemon shuts down: the next one resumes the run
};

enum class WorkEnd { done, paused, interrupted };

struct WorkResult {
  WorkEnd end = WorkEnd::done;
  RunVerdict verdict{};  // of work that is done
};

class RunWork {
 public:
  virtual ~RunWork() = default;

  // Returns when the work is done or ended. Call it once. `on_started` is called when the work has
  // actually started. An error: its progress could not be recorded.
  virtual Async<Result<WorkResult>> work(std::function<void()> on_started) = 0;

  // Ends gracefully: running parts finish or are requested to stop. May be called before work() and
  // repeatedly: a pause can still become a cancel or stop.
  virtual void end(Ending how) = 0;

  // Ends immediately, without waiting for running parts.
  virtual void force() = 0;
};

}  // namespace heddle::commands
