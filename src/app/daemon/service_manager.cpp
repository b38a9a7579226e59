#include "app/daemon/service_manager.hpp"

#include <cstdlib>
#include <cstring>
#include <string>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/environment_variable.hpp"
#include "base/file_descriptor.hpp"

namespace heddle::app {

namespace {

std::string take_variable(const char* name) {
  return take_environment_variable(name).value_or("");
}

// Half of the watchdog timeout; nullopt when it applies to another process.
std::optional<std::chrono::milliseconds> heartbeat_of(const std::string& microseconds,
                                                      const std::string& pid) {
  const long long allowed = std::strtoll(microseconds.c_str(), nullptr, 10);
  if (allowed <= 0) return std::nullopt;
  if (!pid.empty() && std::strtoll(pid.c_str(), nullptr, 10) != getpid()) return std::nullopt;
  return std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::microseconds(allowed / 2));
}

}  // namespace

ServiceManager::ServiceManager() : socket_(take_variable("NOTIFY_SOCKET")) {
  const std::string allowed = take_variable("WATCHDOG_USEC");
  heartbeat_ = heartbeat_of(allowed, take_variable("WATCHDOG_PID"));
}

void ServiceManager::send_state(std::string_view state) const {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (socket_.empty() || socket_.size() >= sizeof address.sun_path) return;
  std::memcpy(address.sun_path, socket_.data(), socket_.size());
  if (address.sun_path[0] == '@') address.sun_path[0] = '\0';  // abstract socket
  const FileDescriptor channel(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_.size());
  // A failure cannot be reported; systemd's timeout detects it.
  static_cast<void>(sendto(channel.get(), state.data(), state.size(), MSG_NOSIGNAL,
                           reinterpret_cast<const sockaddr*>(&address), size));
}

}  // namespace heddle::app
