#include "app/exit_deadline.hpp"

#include <chrono>
#include <cstdlib>

namespace heddle::app {

namespace {

constexpr std::chrono::milliseconds kLastWords{100};  // for a log that writes on another thread

}  // namespace

ExitDeadline::~ExitDeadline() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  over_.notify_all();
  thread_.join();
}

void ExitDeadline::set(Deadline deadline, int exit_status) {
  thread_ = std::thread([this, deadline, exit_status] { wait(deadline, exit_status); });
}

void ExitDeadline::wait(Deadline deadline, int exit_status) {
  std::unique_lock lock(mutex_);
  if (over_.wait_until(lock, deadline, [this] { return is_over_; })) return;
  log_.warn(
      "the time to leave is over, but not all is written (is the database locked?): ending "
      "at once; the next start goes on with what is left");
  if (over_.wait_for(lock, kLastWords, [this] { return is_over_; })) return;
  std::_Exit(exit_status);
}

}  // namespace heddle::app
