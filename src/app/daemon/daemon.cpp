#include "app/daemon/daemon.hpp"

#include <chrono>
#include <csignal>
#include <thread>
#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "app/daemon/control_socket.hpp"
#include "app/daemon/daemon_service.hpp"
#include "app/daemon/data_dir_marker.hpp"
#include "app/daemon/exit_deadline.hpp"
#include "app/daemon/service_manager.hpp"
#include "app/interrupt.hpp"
#include "app/project/project_lock.hpp"
#include "base/drive.hpp"
#include "base/pause.hpp"
#include "base/rethrow_bug.hpp"
#include "control/server.hpp"

namespace heddle::app {

namespace asio = boost::asio;

namespace {

// After shutdown_timeout, for killed processes to exit and for the last writes: the process ends
// within 2 s after that timeout.
constexpr std::chrono::milliseconds kExitGrace{1500};

constexpr std::chrono::milliseconds kSocketCheckInterval{1000};

int worker_count(const Project& project, const cli::UpOptions& options) {
  if (options.processes > 0) return options.processes;
  if (project.daemon.processes > 0) return project.daemon.processes;
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

Async<void> send_heartbeats(const ServiceManager& manager) {
  while (manager.heartbeat()) {
    manager.alive();
    co_await pause_for(*manager.heartbeat());
  }
}

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
               " was removed or replaced: commands find the daemon at a new one");
      control.move_to(std::move(*listening));
      reported.clear();
    } else if (reported != listening.error().message) {
      reported = listening.error().message;
      log.error("no command finds the daemon: " + reported);
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

void report_events(const supervise::SlotEvent& event, Log& log) {
  using supervise::SlotEventKind;
  switch (event.kind) {
    case SlotEventKind::crash:
    case SlotEventKind::unpublished:
      log.error(fmt::format("{} (pid {}) died: {}", event.name, event.pid, event.detail));
      break;
    case SlotEventKind::start_failed:
      log.error(fmt::format("{} could not be started: {}", event.name, event.detail));
      break;
    case SlotEventKind::gave_up:
      log.error(fmt::format("{} gave up: {}; `heddle workers restart {}` starts it again",
                            event.name, event.detail, event.number));
      break;
    default:
      break;
  }
}

}  // namespace

std::filesystem::path control_socket(const Project& project) {
  return ControlSocket::path_in(project.data_dir);
}

Status run_daemon(const Project& project, const cli::UpOptions& options,
                  const config::Environment& environment, Log& log,
                  std::function<void(const Project&)> on_settings) {
  const ServiceManager manager;
  auto lock = ProjectLock::acquire_soon(project.data_dir, ProjectLock::Hold::lasting);
  if (!lock) return std::move(lock).error();
  ExitDeadline exit_deadline(log);  // outlives the store, which waits for its writer
  asio::io_context loop(1);
  CoordinatorSettings settings;
  settings.processes = worker_count(project, options);
  settings.has_spare = true;
  auto coordinator = CoordinatorRuntime::open(loop, project, settings, log);
  if (!coordinator) return std::move(coordinator).error();
  ControlSocket socket(project.data_dir, *lock);
  auto listening = socket.listen();
  if (!listening) return std::move(listening).error();

  const DataDirMarker marker(project, log);
  DaemonParts parts{std::move(*coordinator), environment, log, {}, std::move(on_settings)};
  parts.processes = [&options](const Project& now) { return worker_count(now, options); };
  DaemonService daemon(loop, project, std::move(parts));
  const auto events = daemon.coordinator().supervisor().subscribe(
      [&log, &daemon](const supervise::SlotEvent& event) {
        daemon.record_worker_event(event);
        report_events(event, log);
      });
  control::ControlServer control(loop.get_executor(), std::move(*listening), daemon.verbs(),
                                 {HEDDLE_VERSION});
  bool has_shut_down = false;
  const Interrupt interrupt(loop, [&] {
    log.info("leaving: pages in flight finish; a second signal ends at once");
    manager.stopping();
    control.close();
    const Deadline deadline = std::chrono::steady_clock::now() + daemon.shutdown_timeout();
    exit_deadline.set(deadline + kExitGrace, daemon.has_lost_database() ? 1 : 0);
    asio::co_spawn(loop, daemon.shut_down(control, deadline),
                   [&](const std::exception_ptr& bug, bool) {
                     rethrow_bug(bug);
                     has_shut_down = true;
                   });
  });
  if (const auto started = daemon.coordinator().start(); !started)
    log.warn("no worker could be started; this is tried again, and runs wait for it");
  auto loaded = drive(loop, daemon.load());
  if (!loaded) return std::move(loaded).error();
  asio::co_spawn(loop, control.serve(), rethrow_bug);
  daemon.start_services();
  asio::signal_set hangups(loop);
  asio::co_spawn(loop, reload_on_hangup(hangups, daemon), rethrow_bug);
  asio::co_spawn(loop, send_heartbeats(manager), rethrow_bug);
  asio::co_spawn(loop, keep_socket_reachable(socket, control, log), rethrow_bug);
  log.info(fmt::format("up: {} worker{}, {} job{}, pid {}", settings.processes,
                       settings.processes == 1 ? "" : "s", project.jobs.size(),
                       project.jobs.size() == 1 ? "" : "s", getpid()));
  manager.ready();
  while (!has_shut_down) loop.run_one();
  if (daemon.has_lost_database())
    return Error{ErrorCode::unavailable, "the database was removed while the daemon was up"};
  return Done{};
}

}  // namespace heddle::app
