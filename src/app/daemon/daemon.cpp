#include "app/daemon/daemon.hpp"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "app/daemon/control_socket.hpp"
#include "app/daemon/daemon_service.hpp"
#include "app/daemon/disk_usage.hpp"
#include "app/daemon/exit_deadline.hpp"
#include "app/interrupt.hpp"
#include "app/project/project_lock.hpp"
#include "base/drive.hpp"
#include "base/environment_variable.hpp"
#include "base/file_descriptor.hpp"
#include "base/files/private_files.hpp"
#include "base/pause.hpp"
#include "base/quantity.hpp"
#include "base/rethrow_bug.hpp"
#include "control/server.hpp"
#include "hub/runs/dispatch/worker_events.hpp"

namespace heddle::app {

namespace asio = boost::asio;

namespace {

// After shutdown_timeout, for killed processes to exit and for the last writes: the process ends
// within 2 s after that timeout.
constexpr std::chrono::milliseconds kExitGrace{1500};

constexpr std::chrono::milliseconds kSocketCheckInterval{1000};

// While a start waits for space on the disk.
constexpr std::chrono::milliseconds kSpaceCheckInterval{1000};
constexpr std::string_view kMoreStartTime = "EXTEND_TIMEOUT_USEC=30000000";  // for systemd

// Notifies systemd of the daemon's state if systemd started it (Type=notify, WatchdogSec=).
class ServiceManager {
 public:
  // Reads the environment and removes the variables, so that no child acts as the service.
  ServiceManager()
      : socket_(take_environment_variable("NOTIFY_SOCKET").value_or("")),
        heartbeat_(heartbeat_of(take_environment_variable("WATCHDOG_USEC").value_or(""),
                                take_environment_variable("WATCHDOG_PID").value_or(""))) {}

  void send_state(std::string_view state) const {
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

  // Until the loop ends; returns at once when the watchdog is off.
  [[nodiscard]] Async<void> send_heartbeats() const {
    while (heartbeat_) {
      send_state("WATCHDOG=1");
      co_await pause_for(*heartbeat_);
    }
  }

 private:
  // Half of the watchdog timeout; nullopt when it applies to another process.
  static std::optional<std::chrono::milliseconds> heartbeat_of(const std::string& microseconds,
                                                               const std::string& pid) {
    const long long allowed = std::strtoll(microseconds.c_str(), nullptr, 10);
    if (allowed <= 0) return std::nullopt;
    if (!pid.empty() && std::strtoll(pid.c_str(), nullptr, 10) != getpid()) return std::nullopt;
    return std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::microseconds(allowed / 2));
  }

  const std::string socket_;
  const std::optional<std::chrono::milliseconds> heartbeat_;
};

// Users may remove the socket or the lock file; commands could then not find the daemon.
Async<void> keep_socket_reachable(ControlSocket& socket, control::ControlServer& control,
                                  Log& log) {
  std::string reported;
  while (true) {
    co_await pause_for(kSocketCheckInterval);
    if (control.is_closed()) co_return;
    socket.rewrite_holder();
    if (!socket.is_lost()) continue;
    auto listening = socket.listen();
    if (listening) {
      log.warn(socket.path().string() +
               " was removed or replaced: the daemon has created a new one");
      control.move_to(std::move(*listening));
      reported.clear();
    } else if (reported != listening.error().message) {
      reported = listening.error().message;
      log.error("commands cannot find the daemon: " + reported);
    }
  }
}

// Without a terminal, SIGHUP means reload; at a terminal it means that the terminal was closed.
Async<void> reload_on_hangup(asio::signal_set& hangups, DaemonService& daemon) {
  if (isatty(STDIN_FILENO) == 1) co_return;
  hangups.add(SIGHUP);
  while (true) {
    const auto [failed, number] = co_await hangups.async_wait(asio::as_tuple(asio::use_awaitable));
    if (failed) co_return;
    daemon.reload_soon();
  }
}

// Repeats `attempt` while the disk is too full for it, as a running daemon waits for space. `pause`
// waits and returns false to give up. `show` gets whether it waits.
template <class Attempt, class Pause, class Show>
auto wait_for_space(const Project& project, Log& log, Attempt attempt, Pause pause, Show show) {
  bool has_waited = false;
  while (true) {
    auto result = attempt();
    if (result && has_waited) {
      log.info("there is space on the disk again: starting");
      show(false);
    }
    if (result || result.error().code != ErrorCode::unavailable) return result;
    std::error_code unknown;
    const bool has_data = std::filesystem::is_directory(project.data_dir, unknown);
    if (!is_disk_full(has_data ? project.data_dir : project.root)) return result;
    if (!has_waited)
      log.warn("the disk is full, the start waits for space: " + result.error().message);
    has_waited = true;
    show(true);
    if (!pause()) return result;
  }
}

}  // namespace

Status run_daemon(const Project& project, const cli::UpOptions& options,
                  const config::Environment& environment, Log& log,
                  std::function<void(const Project&)> on_settings) {
  const ServiceManager manager;
  const auto sleep = [&manager] {
    manager.send_state(kMoreStartTime);
    std::this_thread::sleep_for(kSpaceCheckInterval);
    return true;
  };
  const auto acquire = [&project] {
    return ProjectLock::acquire_soon(project.data_dir, ProjectLock::Hold::lasting);
  };
  auto lock = wait_for_space(project, log, acquire, sleep, [](bool) {});
  if (!lock) return std::move(lock).error();
  const auto show = [&lock](bool waits) { lock->set_waits_for_space(waits); };
  if (const auto exposed = exposed_folder_warning(project.data_dir)) log.warn(*exposed);
  ExitDeadline exit_deadline(log);  // outlives the store, which waits for its writer
  asio::io_context loop(1);
  CoordinatorSettings settings;
  settings.processes = worker_count(project, options);
  settings.has_spare = true;
  const auto open = [&] { return CoordinatorRuntime::open(loop, project, settings, log); };
  auto coordinator = wait_for_space(project, log, open, sleep, show);
  if (!coordinator) return std::move(coordinator).error();
  ControlSocket socket(project, *lock);
  const auto listen = [&socket] { return socket.listen(); };
  auto listening = wait_for_space(project, log, listen, sleep, show);
  if (!listening) return std::move(listening).error();

  const DataDirMarker marker(project, log);
  DaemonService daemon(
      loop, project, {std::move(*coordinator), environment, log, options, std::move(on_settings)});
  const auto events = daemon.coordinator().supervisor().subscribe(
      [&log, &daemon](const supervise::SlotEvent& event) {
        daemon.record_worker_event(event);
        hub::log_worker_event(event, log);
      });
  control::ControlServer control(loop.get_executor(), std::move(*listening), daemon.verbs(),
                                 {HEDDLE_VERSION});
  bool has_shut_down = false;
  const Interrupt interrupt(loop, [&] {
    log.info("shutting down: pages in flight finish; a second signal ends the daemon immediately");
    manager.send_state("STOPPING=1");
    control.close();
    const Deadline deadline = std::chrono::steady_clock::now() + daemon.shutdown_timeout();
    exit_deadline.set(deadline + kExitGrace, daemon.has_lost_database() ? 1 : 0);
    asio::co_spawn(loop, daemon.shut_down(control, deadline), [&](const std::exception_ptr& bug) {
      rethrow_bug(bug);
      has_shut_down = true;
    });
  });
  if (const auto started = daemon.coordinator().start(); !started)
    log.warn("no worker could be started; retrying, and runs wait until one is ready");
  const auto load = [&] { return drive(loop, daemon.load()); };
  const auto pause = [&] {
    manager.send_state(kMoreStartTime);
    loop.restart();
    loop.run_for(kSpaceCheckInterval);  // serves signals
    return !has_shut_down;
  };
  auto loaded = wait_for_space(project, log, load, pause, show);
  if (has_shut_down) return Done{};
  if (!loaded) return std::move(loaded).error();
  asio::co_spawn(loop, control.serve(), rethrow_bug);
  daemon.start_services();
  asio::signal_set hangups(loop);
  asio::co_spawn(loop, reload_on_hangup(hangups, daemon), rethrow_bug);
  asio::co_spawn(loop, manager.send_heartbeats(), rethrow_bug);
  asio::co_spawn(loop, keep_socket_reachable(socket, control, log), rethrow_bug);
  log.info(fmt::format("started: {}, {}, pid {}", counted(settings.processes, "worker"),
                       counted(project.jobs.size(), "job"), getpid()));
  manager.send_state("READY=1");
  while (!has_shut_down) loop.run_one();
  if (daemon.has_lost_database())
    return Error{ErrorCode::unavailable, "the database was removed while the daemon was running"};
  return Done{};
}

}  // namespace heddle::app
