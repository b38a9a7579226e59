// Tells systemd how the daemon is doing, when systemd started it (Type=notify, WatchdogSec=).
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace heddle::app {

class ServiceManager {
 public:
  // From the environment, which is then cleaned so that no child believes to be the service.
  ServiceManager();

  void ready() const { say("READY=1"); }
  void stopping() const { say("STOPPING=1"); }
  void alive() const { say("WATCHDOG=1"); }

  // How often alive() should be called; nullopt: nobody waits for it.
  [[nodiscard]] std::optional<std::chrono::milliseconds> heartbeat() const { return heartbeat_; }

 private:
  void say(std::string_view state) const;

  std::string socket_;
  std::optional<std::chrono::milliseconds> heartbeat_;
};

}  // namespace heddle::app
