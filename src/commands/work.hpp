// What a run is for, between its hooks: pages, processes, a service. One event loop.
#pragma once

#include <functional>

#include "base/async.hpp"
#include "base/result.hpp"
#include "model/program_run.hpp"

namespace heddle::commands {

// Why work is ended before it is done.
enum class Ending {
  pause,   // somebody will go on with it
  cancel,  // the job goes on with its schedule
  stop,    // and so does the job end
  leave,   // the daemon ends: the next one goes on with it
};

enum class WorkEnd { done, paused, interrupted };

struct WorkResult {
  WorkEnd end = WorkEnd::done;
  RunVerdict verdict{};  // of work that is done
};

class Work {
 public:
  virtual ~Work() = default;

  // Until it is done or ended; once. `on_started` is called when it has really begun, if it does.
  // An error: it could not be written down how far it came.
  virtual Async<Result<WorkResult>> work(std::function<void()> on_started) = 0;

  // Politely: what runs may finish or is asked to. May be called before work() and again: a pause
  // can still become something final.
  virtual void end(Ending how) = 0;

  // Nothing of it is waited for any more.
  virtual void force() = 0;
};

}  // namespace heddle::commands
