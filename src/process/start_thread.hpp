// Starts programs on its own thread, in the order of the calls: the kernel blocks the calling
// thread until the program runs, on a busy machine for tens of milliseconds. The programs die with
// this thread.
#pragma once

#include <functional>
#include <memory>

#include "base/async.hpp"

namespace heddle::process {

class StartThread {
 public:
  StartThread();
  ~StartThread();
  StartThread(const StartThread&) = delete;
  StartThread& operator=(const StartThread&) = delete;

  // Runs `start` on the thread and resumes on the caller's loop. Cannot be cancelled.
  Async<void> call(std::function<void()> start);

  // Runs the queued calls and ends the thread. No call() may follow. Call it before the loop of a
  // caller is destroyed.
  void close();

 private:
  struct Thread;
  std::unique_ptr<Thread> thread_;
};

}  // namespace heddle::process
