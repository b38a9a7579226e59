// What decides about the next process of a slot whose process has died: a policy, then a runner.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "supervise/process_event.hpp"

namespace heddle::supervise {

struct RecoveryInfo {
  SlotRef slot{};
  std::string name{};
  int number = 0;
  pid_t pid = 0;
  EventKind reason = EventKind::crash;  // crash, unpublished or start_failed
  std::optional<int> exit_code{};
  std::optional<int> signal{};
  std::size_t restarts_in_window = 0;
  std::chrono::milliseconds uptime{0};
};

class RecoveryTicket;

// A runner's way to respawn. Copies are one control; any thread; safe at any later time: once the
// runner has returned, or the supervisor is gone, it does nothing.
class RecoveryControl {
 public:
  explicit RecoveryControl(std::shared_ptr<RecoveryTicket> ticket) : ticket_(std::move(ticket)) {}

  // The respawn happens on the supervisor's loop, once; later calls are ignored.
  void spawn() const;

  // True from the moment shutdown begins or the slot is asked to stop.
  [[nodiscard]] bool should_cancel() const;

  // Sleeps; false as soon as should_cancel() is true.
  bool wait_for(std::chrono::milliseconds time) const;

 private:
  std::shared_ptr<RecoveryTicket> ticket_;
};

// False: the slot stays down. On the loop.
using RecoveryPolicy = std::function<bool(const RecoveryInfo&)>;

// Calls control.spawn() when it is time; returning without leaves the slot down. On a thread of its
// own.
using RecoveryRunner = std::function<void(const RecoveryInfo&, const RecoveryControl&)>;

}  // namespace heddle::supervise
