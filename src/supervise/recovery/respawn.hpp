// Defines how a slot is respawned after a death: a policy allows it, then a runner triggers it.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "supervise/slot_event.hpp"

namespace heddle::supervise {

struct CrashReport {
  SlotRef slot{};
  std::string name{};
  int number = 0;
  pid_t pid = 0;
  SlotEventKind reason = SlotEventKind::crash;  // crash, unpublished or start_failed
  std::optional<int> exit_code{};
  std::optional<int> signal{};
  std::size_t restarts_in_window = 0;
  std::chrono::milliseconds uptime{0};
};

class RespawnPermit;

// Lets a runner trigger the respawn. Copies share one permit. Any thread, at any time: does nothing
// once the runner has returned or the supervisor is gone.
class RespawnControl {
 public:
  explicit RespawnControl(std::shared_ptr<RespawnPermit> permit) : permit_(std::move(permit)) {}

  // Respawns once, on the supervisor's loop; later calls are ignored.
  void spawn() const;

  // True once shutdown has begun or a stop of the slot was requested.
  [[nodiscard]] bool should_cancel() const;

  // Sleeps; returns false as soon as should_cancel() is true.
  bool wait_for(std::chrono::milliseconds time) const;

 private:
  std::shared_ptr<RespawnPermit> permit_;
};

// Called on the loop. False: the slot stays down.
using RespawnPolicy = std::function<bool(const CrashReport&)>;

// Called on its own thread. Calls control.spawn() to respawn; without that the slot stays down.
using RespawnRunner = std::function<void(const CrashReport&, const RespawnControl&)>;

}  // namespace heddle::supervise
