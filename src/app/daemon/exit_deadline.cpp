#include "app/daemon/exit_deadline.hpp"

#include <chrono>
#include <cstdlib>

namespace heddle::app {

namespace {

constexpr std::chrono::milliseconds kLogFlushTime{100};  // the log may write on another thread

}  // namespace

ExitDeadline::~ExitDeadline() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    is_done_ = true;
  }
  done_.notify_all();
  thread_.join();
}

void ExitDeadline::set(Deadline deadline, int exit_status) {
  thread_ = std::thread([this, deadline, exit_status] { wait(deadline, exit_status); });
}

void ExitDeadline::wait(Deadline deadline, int exit_status) {
  std::unique_lock lock(mutex_);
  if (done_.wait_until(lock, deadline, [this] { return is_done_; })) return;
  log_.warn(
      "the time to leave is over, but not all is written (is the database locked?): ending "
      "at once; the next start goes on with what is left");
  if (done_.wait_for(lock, kLogFlushTime, [this] { return is_done_; })) return;
  std::_Exit(exit_status);
}

}  // namespace heddle::app
