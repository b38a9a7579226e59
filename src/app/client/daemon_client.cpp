#include "app/client/daemon_client.hpp"

#include <memory>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <fmt/format.h>

#include "app/client/drive.hpp"
#include "app/client/run_report.hpp"
#include "app/daemon/daemon.hpp"
#include "app/interrupt.hpp"
#include "app/project/project_lock.hpp"
#include "base/rethrow_bug.hpp"
#include "ipc/handshake.hpp"
#include "ipc/messages/control_message_values.hpp"
#include "ipc/messages/decode_frame.hpp"
#include "ipc/rpc_peer.hpp"
#include "ipc/unix_socket.hpp"

namespace heddle::app {

namespace asio = boost::asio;
using ipc::ControlMessage;

namespace {

constexpr std::chrono::seconds kRequestTimeout{10};
// Extra time for requests that grow with the number of jobs, so that a timeout means a real
// problem.
constexpr std::chrono::milliseconds kTimeoutPerJob{20};
constexpr std::chrono::seconds kReloadTimeout{60};

Error no_daemon(const Project& project, const Error& why) {
  if (why.code != ErrorCode::not_found) return why;
  if (const auto pid = ProjectLock::lasting_holder(project.data_dir))
    return {ErrorCode::not_found,
            fmt::format("a heddle (pid {}) holds this project but does not listen at {}: a daemon "
                        "that starts, or whose socket was removed, listens within seconds, `heddle "
                        "run` never does; try again, or {}",
                        *pid, control_socket(project).string(), stop_advice(*pid))};
  return {ErrorCode::not_found, "no daemon runs for this project (its socket would be in " +
                                    project.data_dir.string() + "): `heddle --project " +
                                    project.root.string() + " up` starts one"};
}

Deadline request_deadline(std::chrono::milliseconds more = std::chrono::milliseconds(0)) {
  return std::chrono::steady_clock::now() + kRequestTimeout + more;
}

// A connection to the daemon with its own event loop.
class DaemonConnection {
 public:
  static Result<std::unique_ptr<DaemonConnection>> open(const Project& project) {
    auto socket = ipc::connect_to(control_socket(project));
    if (!socket) return no_daemon(project, socket.error());
    auto connection = std::make_unique<DaemonConnection>(std::move(*socket));
    auto accepted = connection->handshake();
    if (accepted) return connection;
    // The daemon was just killed, and a process that it was starting still held its socket. No
    // request was sent yet.
    if (accepted.error().code == ErrorCode::unavailable)
      return no_daemon(project, {ErrorCode::not_found, "nobody is behind the socket"});
    return explained(accepted.error());
  }

  explicit DaemonConnection(FileDescriptor socket)
      : channel_(std::make_shared<ipc::Channel>(loop_.get_executor(), std::move(socket))),
        peer_(channel_) {}

  // Waits until the listener has ended: its handler may use objects that the owner destroys next.
  ~DaemonConnection() {
    peer_.close();
    loop_.restart();
    while (is_listening_) loop_.run_one();
  }
  DaemonConnection(const DaemonConnection&) = delete;
  DaemonConnection& operator=(const DaemonConnection&) = delete;

  void listen(ipc::RpcPeer::Handler on_notice) {
    is_listening_ = true;
    asio::co_spawn(loop_, peer_.run(std::move(on_notice)),
                   [this](const std::exception_ptr& bug, const Status& /*why*/) {
                     is_listening_ = false;
                     rethrow_bug(bug);
                   });
  }

  template <class Answer, class Question>
  Result<Answer> ask(ControlMessage type, const Question& question,
                     std::optional<Deadline> deadline = std::nullopt) {
    auto answered = drive(loop_, peer_.call(ipc::to_frame(type, question), deadline));
    if (!answered) return explained(answered.error());
    auto value = ipc::unpacked<Result<Answer>>(answered->body);
    if (!value) return std::move(value).error().during("the daemon's answer");
    if (!*value) return std::move(*value).error();
    return std::move(**value);
  }

  asio::io_context& loop() { return loop_; }
  ipc::RpcPeer& peer() { return peer_; }

 private:
  Status handshake() {
    ipc::Handshake ours = ipc::make_handshake("command", HEDDLE_VERSION);
    auto theirs =
        drive(loop_, ipc::exchange_handshake(*channel_, std::move(ours), request_deadline()));
    return theirs ? Status(Done{}) : Status(std::move(theirs).error());
  }

  static Error explained(const Error& why) {
    if (why.code == ErrorCode::timeout)
      return {why.code, "the daemon does not answer: it is stopped or very busy"};
    if (why.code == ErrorCode::unavailable)
      return {why.code, "the daemon has left: " + why.message};
    return why;
  }

  asio::io_context loop_{1};
  std::shared_ptr<ipc::Channel> channel_;
  ipc::RpcPeer peer_;
  bool is_listening_ = false;
};

Status ignore_notice(const ipc::Frame& /*frame*/) {
  return Done{};
}

template <class Answer, class Question>
Result<Answer> call_daemon(const Project& project, ControlMessage type, const Question& question,
                           std::chrono::milliseconds more_time = std::chrono::milliseconds(0)) {
  auto connection = DaemonConnection::open(project);
  if (!connection) return std::move(connection).error();
  (*connection)->listen(ignore_notice);
  return (*connection)->template ask<Answer>(type, question, request_deadline(more_time));
}

// `not_found` would mean that there is no daemon.
Error refused_by_daemon(Error why) {
  if (why.code == ErrorCode::not_found) why.code = ErrorCode::conflict;
  return why;
}

// Forwards the daemon's events of the run.
Status notify_watcher(cli::RunWatcher& watcher, const ipc::Frame& frame) {
  switch (static_cast<ControlMessage>(frame.type)) {
    case ControlMessage::run_begun:
      return ipc::handle_frame<Run>(frame, [&](const Run& run) { watcher.run_started(run); });
    case ControlMessage::page:
      return ipc::handle_frame<PageReport>(
          frame, [&](const PageReport& page) { watcher.page(page_progress_of(page)); });
    default:
      return Done{};
  }
}

}  // namespace

Result<ipc::DaemonStatus> fetch_status(const Project& project) {
  return call_daemon<ipc::DaemonStatus>(project, ControlMessage::get_status, Done{});
}

Result<ipc::MetricsText> fetch_metrics(const Project& project) {
  return call_daemon<ipc::MetricsText>(project, ControlMessage::get_metrics, Done{});
}

Result<std::vector<ipc::JobActionResult>> request_job_action(const Project& project,
                                                             const ipc::ActOnJobs& request) {
  const auto more_time = kTimeoutPerJob * static_cast<std::int64_t>(request.jobs.size());
  return call_daemon<std::vector<ipc::JobActionResult>>(project, ControlMessage::act_on_jobs,
                                                        request, more_time);
}

Result<ipc::DeadLettersDone> request_dead_letter_action(const Project& project,
                                                        const ipc::ActOnDeadLetters& request) {
  auto connection = DaemonConnection::open(project);
  if (!connection) return std::move(connection).error();
  (*connection)->listen(ignore_notice);
  auto done = (*connection)
                  ->ask<ipc::DeadLettersDone>(ControlMessage::act_on_dead_letters, request,
                                              request_deadline());
  if (!done) return refused_by_daemon(std::move(done).error());
  return done;
}

Result<ipc::ReloadReport> request_reload(const Project& project, bool dry_run) {
  return call_daemon<ipc::ReloadReport>(project, ControlMessage::reload, ipc::Reload{dry_run},
                                        kReloadTimeout);
}

Status request_worker_restart(const Project& project, int number) {
  return call_daemon<Done>(project, ControlMessage::restart_worker, ipc::RestartWorker{number});
}

Result<cli::RunReport> run_in_daemon(const Project& project, const cli::RunJobOptions& options,
                                     cli::RunWatcher& watcher) {
  auto connection = DaemonConnection::open(project);
  if (!connection) return std::move(connection).error();
  DaemonConnection& daemon = **connection;
  daemon.listen([&watcher](const ipc::Frame& frame) { return notify_watcher(watcher, frame); });
  const Interrupt interrupt(daemon.loop(), [&] {
    watcher.notice(fmt::format("cancelling: {}; interrupt again to leave without waiting for them",
                               options.job.kind == JobKind::web ? "pages in flight finish"
                                                                : "its programs are asked to end"));
    daemon.peer().post(ipc::to_frame(ControlMessage::cancel_run, Done{}));
  });
  const ipc::RunJob request{options.job.id.text, options.job.revision, options.dead_letters,
                            watcher.wants_pages()};
  auto ended = daemon.ask<ipc::FollowedRun>(ControlMessage::run_job, request);
  if (!ended) return refused_by_daemon(std::move(ended).error());
  if (ended->is_interrupted)
    watcher.notice("the daemon is leaving; the next one goes on with this run");
  cli::RunReport report;
  report.run = std::move(ended->run);
  report.costs = costs_of(ended->costs);
  report.cycles = ended->costs.cycles;
  report.messages.waiting = ended->messages_waiting;
  report.messages.sent = ended->messages_sent;
  report.messages.dead = ended->messages_dead;
  report.message_errors = std::move(ended->message_errors);
  return report;
}

}  // namespace heddle::app
