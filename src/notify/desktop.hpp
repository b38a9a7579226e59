// Shows desktop notifications through notify-send when there is a desktop session.
#pragma once

#include <chrono>
#include <map>
#include <string>

#include "base/async.hpp"
#include "base/log/log.hpp"
#include "base/result.hpp"

namespace heddle::notify {

struct DesktopMessage {
  std::string title;
  std::string body;
  std::chrono::milliseconds timeout{5000};
};

// Reads {title, body, timeout_ms}, the payload of a desktop Delivery.
Result<DesktopMessage> parse_desktop_payload(const std::string& payload);

using Environment = std::map<std::string, std::string>;

// One event loop; keep it alive while show() runs.
class Desktop {
 public:
  // The environment is the program's own, passed in: PATH finds notify-send, and DISPLAY,
  // WAYLAND_DISPLAY or DBUS_SESSION_BUS_ADDRESS show that there is a desktop session.
  Desktop(Environment environment, Log& log);

  // Never fails: without a desktop session, or when notify-send fails, the message goes to the log.
  Async<void> show(DesktopMessage message);

  // Whether a message can reach a screen at all.
  [[nodiscard]] bool is_present() const;

 private:
  [[nodiscard]] std::string notify_send() const;  // empty: not installed
  void write_to_log(const DesktopMessage& message, const std::string& reason);

  Environment environment_;
  Log& log_;
};

}  // namespace heddle::notify
