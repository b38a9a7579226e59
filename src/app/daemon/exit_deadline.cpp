#include "app/daemon/exit_deadline.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <stop_token>

namespace heddle::app {

namespace {

constexpr std::chrono::milliseconds kLogFlushTime{100};  // the log may write on another thread

}  // namespace

void ExitDeadline::set(Deadline deadline, int exit_status) {
  thread_ = std::jthread([&log = log_, deadline, exit_status](const std::stop_token& cancelled) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any woken;
    const auto is_cancelled = [&cancelled] { return cancelled.stop_requested(); };
    if (woken.wait_until(lock, cancelled, deadline, is_cancelled)) return;
    log.warn(
        "the shutdown timed out before everything was written (is the database locked?): exiting "
        "now; the next start continues with what is left");
    if (woken.wait_for(lock, cancelled, kLogFlushTime, is_cancelled)) return;
    std::_Exit(exit_status);
  });
}

}  // namespace heddle::app
