#include "embed/supervise/coordinator_registry.hpp"

#include <mutex>

#include <unistd.h>

#include "embed/supervise/debug_log.hpp"

namespace heddle {

namespace embed {

namespace {

struct RegisteredCoordinator {
  std::mutex mutex;
  std::weak_ptr<CoordinatorImpl> impl;
  pid_t process = 0;
};

// Process-wide by contract; never destroyed, so that it may be used during exit.
RegisteredCoordinator& registered() {
  static auto* only = new RegisteredCoordinator;
  return *only;
}

}  // namespace

bool register_coordinator(const std::shared_ptr<CoordinatorImpl>& impl) {
  const std::lock_guard lock(registered().mutex);
  if (registered().process == getpid() && !registered().impl.expired()) return false;
  registered().impl = impl;
  registered().process = getpid();
  return true;
}

void unregister_coordinator(const CoordinatorImpl* impl) {
  const std::lock_guard lock(registered().mutex);
  if (registered().impl.lock().get() == impl) registered().impl.reset();
}

std::shared_ptr<CoordinatorImpl> find_coordinator() {
  const std::lock_guard lock(registered().mutex);
  return registered().process == getpid() ? registered().impl.lock() : nullptr;
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
