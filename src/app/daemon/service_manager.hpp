// ServiceManager notifies systemd of the daemon's state if systemd started it (Type=notify,
// WatchdogSec=).
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace heddle::app {

class ServiceManager {
 public:
  // Reads the environment and removes the variables, so that no child acts as the service.
  ServiceManager();

  void ready() const { send_state("READY=1"); }
  void stopping() const { send_state("STOPPING=1"); }
  void alive() const { send_state("WATCHDOG=1"); }

  // The interval for calling alive(); nullopt: the watchdog is off.
  [[nodiscard]] std::optional<std::chrono::milliseconds> heartbeat() const { return heartbeat_; }

 private:
  void send_state(std::string_view state) const;

  std::string socket_;
  std::optional<std::chrono::milliseconds> heartbeat_;
};

}  // namespace heddle::app
