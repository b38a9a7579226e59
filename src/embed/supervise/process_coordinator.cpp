#include "embed/supervise/process_coordinator.hpp"

#include <mutex>

#include <unistd.h>

#include "embed/supervise/debug_log.hpp"

namespace heddle {

namespace embed {

namespace {

struct Entry {
  std::mutex mutex;
  std::weak_ptr<CoordinatorImpl> impl;
  pid_t process = 0;
};

// Process-wide by contract; never destroyed, so that it may be asked during exit.
Entry& entry() {
  static auto* only = new Entry;
  return *only;
}

}  // namespace

bool announce_coordinator(const std::shared_ptr<CoordinatorImpl>& impl) {
  const std::lock_guard lock(entry().mutex);
  if (entry().process == getpid() && !entry().impl.expired()) return false;
  entry().impl = impl;
  entry().process = getpid();
  return true;
}

void withdraw_coordinator(const CoordinatorImpl* impl) {
  const std::lock_guard lock(entry().mutex);
  if (entry().impl.lock().get() == impl) entry().impl.reset();
}

std::shared_ptr<CoordinatorImpl> find_coordinator() {
  const std::lock_guard lock(entry().mutex);
  return entry().process == getpid() ? entry().impl.lock() : nullptr;
}

}  // namespace embed

void set_recovery_policy(RecoveryPolicy policy) {
  if (const auto impl = embed::find_coordinator()) return impl->set_policy(std::move(policy));
  embed::log_debug("set_recovery_policy: this process has no coordinator");
}

void set_recovery_runner(RecoveryRunner runner) {
  if (const auto impl = embed::find_coordinator()) return impl->set_runner(std::move(runner));
  embed::log_debug("set_recovery_runner: this process has no coordinator");
}

void set_lifecycle_handler(ProcessEventHandler handler) {
  if (const auto impl = embed::find_coordinator())
    return impl->set_lifecycle_handler(std::move(handler));
  embed::log_debug("set_lifecycle_handler: this process has no coordinator");
}

}  // namespace heddle
