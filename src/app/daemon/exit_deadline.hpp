// ExitDeadline ends the process when its shutdown takes too long, for example because another
// process has locked the database. It waits on its own thread, since the loop itself may hang.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/log/log.hpp"
#include "base/time.hpp"

namespace heddle::app {

class ExitDeadline {
 public:
  explicit ExitDeadline(Log& log) : log_(log) {}
  ~ExitDeadline();  // cancels the deadline
  ExitDeadline(const ExitDeadline&) = delete;
  ExitDeadline& operator=(const ExitDeadline&) = delete;

  // Call it once. At the deadline the process exits with that status, as on a second signal:
  // acknowledged data is stored, the rest is left to the next start.
  void set(Deadline deadline, int exit_status);

 private:
  void wait(Deadline deadline, int exit_status);

  Log& log_;
  std::mutex mutex_;  // guards is_done_
  std::condition_variable done_;
  bool is_done_ = false;
  std::thread thread_;
};

}  // namespace heddle::app
