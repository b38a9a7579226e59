// Defines how a slot is respawned after a death.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "heddle/export.hpp"
#include "heddle/process_event.hpp"

namespace heddle {

struct RecoveryInfo {
  std::uint32_t slot = 0;
  std::string name{};
  std::uint32_t occurrence = 0;
  pid_t pid = 0;
  std::optional<int> exit_code{};
  std::optional<int> signal{};
  std::size_t restarts_in_window = 0;
  std::chrono::milliseconds uptime{0};
  Reason reason = Reason::crash;  // crash, unpublished or start_failed
};

// Lets a runner trigger the respawn. Copies share one control. Every call is safe from any thread
// and at any later time; once the runner has returned, spawn() does nothing.
class HEDDLE_API RecoveryControl {
 public:
  class State;
  explicit RecoveryControl(std::shared_ptr<State> state);

  // Respawns once, on the coordinator's loop thread; later calls are ignored.
  void spawn() const;

  // True once shutdown has begun or a stop of the slot was requested.
  [[nodiscard]] bool should_cancel() const;

  // Sleeps; returns false as soon as should_cancel() is true.
  bool wait_for(std::chrono::milliseconds time) const;

 private:
  std::shared_ptr<State> state_;
};

// Called on the loop thread. False or an exception: the slot stays down.
using RecoveryPolicy = std::function<bool(const RecoveryInfo&)>;

// Called on its own thread. Delays, counts down or waits for a condition, then calls
// control.spawn(); without that the slot stays down.
using RecoveryRunner = std::function<void(const RecoveryInfo&, const RecoveryControl&)>;

// Configures the built-in runner.
struct RestartRules {
  std::chrono::milliseconds delay{0};      // before the first restart in the window
  std::chrono::milliseconds backoff{100};  // before the second; doubles with each further one
  std::chrono::milliseconds backoff_cap{10'000};
  std::size_t max_restarts = 20;  // in the window; then the slot gives up
  std::chrono::milliseconds window{60'000};
};

}  // namespace heddle
