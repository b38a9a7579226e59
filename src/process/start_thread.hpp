// A thread on which programs are started, one after another in the order in which they came: the
// kernel holds whoever starts one until it runs, on a busy machine for tens of milliseconds. The
// programs live no longer than this thread.
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

  // Calls it on the thread; returns on the caller's loop, when it is over. Cannot be cancelled.
  Async<void> call(std::function<void()> start);

  // After what is waiting; nothing may be called from here on. Whoever destroys the loop of a
  // caller does this before.
  void close();

 private:
  struct Thread;
  std::unique_ptr<Thread> thread_;
};

}  // namespace heddle::process
