#include "notify/desktop.hpp"

#include <algorithm>
#include <array>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "model/notify/template.hpp"
#include "process/find_program.hpp"
#include "process/run_program.hpp"

namespace heddle::notify {

namespace {

constexpr std::chrono::seconds kPatience{10};

constexpr std::array<const char*, 3> kSessionVariables{"DISPLAY", "WAYLAND_DISPLAY",
                                                       "DBUS_SESSION_BUS_ADDRESS"};

// What notify-send needs to find the session; other variables may hold secrets.
constexpr std::array<std::string_view, 10> kPassedVariables{"PATH",
                                                            "HOME",
                                                            "DISPLAY",
                                                            "WAYLAND_DISPLAY",
                                                            "XAUTHORITY",
                                                            "DBUS_SESSION_BUS_ADDRESS",
                                                            "LANG",
                                                            "LC_ALL",
                                                            "XDG_RUNTIME_DIR",
                                                            "XDG_CURRENT_DESKTOP"};

bool is_set(const Environment& environment, const char* name) {
  const auto found = environment.find(name);
  return found != environment.end() && !found->second.empty();
}

std::string text_of(const boost::json::object& object, const char* key) {
  const auto* value = object.if_contains(key);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

}  // namespace

Result<DesktopMessage> parse_desktop_payload(const std::string& payload) {
  boost::json::error_code error;
  const auto value = boost::json::parse(payload, error);
  if (error || !value.is_object())
    return Error{ErrorCode::corrupt, "the desktop message is not a JSON object"};
  const auto& object = value.get_object();
  DesktopMessage message{text_of(object, "title"), text_of(object, "body")};
  const auto* timeout = object.if_contains("timeout_ms");
  if (timeout != nullptr && timeout->is_int64())
    message.timeout = std::chrono::milliseconds(timeout->get_int64());
  return message;
}

Desktop::Desktop(Environment environment, Log& log)
    : environment_(std::move(environment)), log_(log) {}

bool Desktop::is_present() const {
  const bool has_session =
      std::any_of(kSessionVariables.begin(), kSessionVariables.end(),
                  [this](const char* name) { return is_set(environment_, name); });
  return has_session && !notify_send().empty();
}

std::string Desktop::notify_send() const {
  const auto path = environment_.find("PATH");
  if (path == environment_.end()) return {};
  const auto file = process::find_program("notify-send", path->second);
  return file ? file->string() : std::string();
}

Async<void> Desktop::show(DesktopMessage message) {
  if (!is_present()) {
    write_to_log(message, "");
    co_return;
  }
  // Notification servers read markup in the body; page content must stay text.
  process::ProgramSpec spec;
  spec.argv = {notify_send(),
               "--app-name=Heddle",
               fmt::format("--expire-time={}", message.timeout.count()),
               "--",
               escape_text(message.title, TextFormat::single_line),
               escape_text(message.body, TextFormat::html)};
  for (const auto& [name, value] : environment_)
    if (std::find(kPassedVariables.begin(), kPassedVariables.end(), name) != kPassedVariables.end())
      spec.environment.push_back(fmt::format("{}={}", name, value));
  spec.timeout = kPatience;
  const auto end = co_await process::run_program(std::move(spec));
  if (!end)
    write_to_log(message, end.error().message);
  else if (!end->succeeded())
    write_to_log(message, "notify-send: " + process::describe(*end, kPatience));
}

void Desktop::write_to_log(const DesktopMessage& message, const std::string& reason) {
  const std::string line =
      fmt::format("{}: {}", escape_text(message.title, TextFormat::single_line),
                  escape_text(message.body, TextFormat::single_line));
  if (reason.empty())
    log_.info(line);
  else
    log_.warn(fmt::format("{} (not shown: {})", line, reason));
}

}  // namespace heddle::notify
