// ExitDeadline ends the process when its shutdown takes too long, for example because another
// process has locked the database. It waits on its own thread, since the loop itself may hang.
#pragma once

#include <thread>

#include "base/log/log.hpp"
#include "base/time.hpp"

namespace heddle::app {

class ExitDeadline {
 public:
  explicit ExitDeadline(Log& log) : log_(log) {}

  // Call it once. At the deadline the process exits with that status, as on a second signal:
  // acknowledged data is stored, the rest is left to the next start.
  void set(Deadline deadline, int exit_status);

 private:
  Log& log_;
  std::jthread thread_;  // the destructor cancels the deadline
};

}  // namespace heddle::app
