// Ends the process when its way out takes too long, whatever it waits for: a database that somebody
// else has locked, say. Waits on a thread of its own, since the loop may be what does not answer.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/log.hpp"
#include "base/time.hpp"

namespace heddle::app {

class ExitDeadline {
 public:
  explicit ExitDeadline(Log& log) : log_(log) {}
  ~ExitDeadline();  // the way out is over
  ExitDeadline(const ExitDeadline&) = delete;
  ExitDeadline& operator=(const ExitDeadline&) = delete;

  // Once. At the deadline the process ends with that status, as on a second signal: what was
  // acknowledged is stored, what was not is left to the next start.
  void set(Deadline deadline, int exit_status);

 private:
  void wait(Deadline deadline, int exit_status);

  Log& log_;
  std::mutex mutex_;  // guards is_over_
  std::condition_variable over_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace heddle::app
