#include "app/daemon_client.hpp"

#include <memory>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <fmt/format.h>

#include "app/daemon.hpp"
#include "app/drive.hpp"
#include "app/interrupt.hpp"
#include "app/project_lock.hpp"
#include "app/run_outcome.hpp"
#include "base/rethrow_bug.hpp"
#include "ipc/caller.hpp"
#include "ipc/messages/control_message_values.hpp"
#include "ipc/messages/take.hpp"
#include "ipc/unix_socket.hpp"
#include "ipc/version.hpp"

namespace heddle::app {

namespace asio = boost::asio;
using ipc::ControlMessage;

namespace {

constexpr std::chrono::seconds kPatience{10};
// What grows with the number of jobs has more time, so that it is a sign of trouble when it ends.
constexpr std::chrono::milliseconds kPatiencePerJob{20};
constexpr std::chrono::seconds kPatienceWithReload{60};

Error no_daemon(const Project& project, const Error& why) {
  if (why.code != ErrorCode::not_found) return why;
  if (const auto pid = ProjectLock::lasting_holder(project.data_dir))
    return {ErrorCode::not_found,
            fmt::format("a heddle (pid {}) holds this project but does not listen at {}: a daemon "
                        "that starts, or whose socket was removed, listens within seconds, `heddle "
                        "run` never does; try again, or {}",
                        *pid, control_socket(project).string(), how_to_end(*pid))};
  return {ErrorCode::not_found, "no daemon runs for this project (its socket would be in " +
                                    project.data_dir.string() + "): `heddle --project " +
                                    project.root.string() + " up` starts one"};
}

Deadline soon(std::chrono::milliseconds more = std::chrono::milliseconds(0)) {
  return std::chrono::steady_clock::now() + kPatience + more;
}

// A connection to the daemon, read as long as it lives.
class Connection {
 public:
  static Result<std::unique_ptr<Connection>> open(const Project& project) {
    auto socket = ipc::connect_to(control_socket(project));
    if (!socket) return no_daemon(project, socket.error());
    auto connection = std::make_unique<Connection>(std::move(*socket));
    auto greeted = connection->say_hello();
    if (greeted) return connection;
    // A daemon that was killed this moment: a process it was about to start may still have held its
    // socket. Nothing was asked yet.
    if (greeted.error().code == ErrorCode::unavailable)
      return no_daemon(project, {ErrorCode::not_found, "nobody is behind the socket"});
    return explained(greeted.error());
  }

  explicit Connection(FileDescriptor socket)
      : channel_(std::make_shared<ipc::Channel>(loop_.get_executor(), std::move(socket))),
        caller_(channel_) {}

  // Not before nobody listens any more: who does may use what its owner is about to take down.
  ~Connection() {
    caller_.close();
    loop_.restart();
    while (is_listening_) loop_.run_one();
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void listen(ipc::Caller::Handler on_notice) {
    is_listening_ = true;
    asio::co_spawn(loop_, caller_.run(std::move(on_notice)),
                   [this](const std::exception_ptr& bug, const Status& /*why*/) {
                     is_listening_ = false;
                     rethrow_bug(bug);
                   });
  }

  template <class Answer, class Question>
  Result<Answer> ask(ControlMessage type, const Question& question,
                     std::optional<Deadline> deadline = std::nullopt) {
    auto answered = drive(loop_, caller_.ask(ipc::to_frame(type, question), deadline));
    if (!answered) return explained(answered.error());
    auto value = ipc::unpacked<Result<Answer>>(answered->body);
    if (!value) return std::move(value).error().during("the daemon's answer");
    if (!*value) return std::move(*value).error();
    return std::move(**value);
  }

  asio::io_context& loop() { return loop_; }
  ipc::Caller& caller() { return caller_; }

 private:
  Status say_hello() {
    ipc::Hello ours = ipc::make_hello("command", HEDDLE_VERSION);
    auto theirs = drive(loop_, ipc::exchange_hello(*channel_, std::move(ours), soon()));
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
  ipc::Caller caller_;
  bool is_listening_ = false;
};

Status ignore_notice(const ipc::Frame& /*frame*/) {
  return Done{};
}

template <class Answer, class Question>
Result<Answer> ask_daemon(const Project& project, ControlMessage type, const Question& question,
                          std::chrono::milliseconds more_time = std::chrono::milliseconds(0)) {
  auto connection = Connection::open(project);
  if (!connection) return std::move(connection).error();
  (*connection)->listen(ignore_notice);
  return (*connection)->template ask<Answer>(type, question, soon(more_time));
}

// `not_found` would say that there is no daemon.
Error not_to_be_tried_here(Error why) {
  if (why.code == ErrorCode::not_found) why.code = ErrorCode::conflict;
  return why;
}

// What the daemon says about the run that is followed.
Status tell_watcher(cli::RunWatcher& watcher, const ipc::Frame& frame) {
  switch (static_cast<ControlMessage>(frame.type)) {
    case ControlMessage::run_begun:
      return ipc::take<Run>(frame, [&](const Run& run) { watcher.begun(run); });
    case ControlMessage::page:
      return ipc::take<PageReport>(frame,
                                   [&](const PageReport& page) { watcher.page(news_of(page)); });
    default:
      return Done{};
  }
}

}  // namespace

Result<ipc::DaemonStatus> ask_for_status(const Project& project) {
  return ask_daemon<ipc::DaemonStatus>(project, ControlMessage::get_status, Done{});
}

Result<ipc::MetricsText> ask_for_metrics(const Project& project) {
  return ask_daemon<ipc::MetricsText>(project, ControlMessage::get_metrics, Done{});
}

Result<std::vector<ipc::JobAnswer>> ask_to_act(const Project& project,
                                               const ipc::ActOnJobs& wanted) {
  const auto more_time = kPatiencePerJob * static_cast<std::int64_t>(wanted.jobs.size());
  return ask_daemon<std::vector<ipc::JobAnswer>>(project, ControlMessage::act_on_jobs, wanted,
                                                 more_time);
}

Result<ipc::LettersDone> ask_about_letters(const Project& project,
                                           const ipc::ActOnLetters& wanted) {
  auto connection = Connection::open(project);
  if (!connection) return std::move(connection).error();
  (*connection)->listen(ignore_notice);
  auto done = (*connection)->ask<ipc::LettersDone>(ControlMessage::act_on_letters, wanted, soon());
  if (!done) return not_to_be_tried_here(std::move(done).error());
  return done;
}

Result<ipc::ReloadReport> ask_to_reload(const Project& project, bool is_trial) {
  return ask_daemon<ipc::ReloadReport>(project, ControlMessage::reload, ipc::Reload{is_trial},
                                       kPatienceWithReload);
}

Status ask_to_restart_worker(const Project& project, int number) {
  return ask_daemon<Done>(project, ControlMessage::restart_worker, ipc::RestartWorker{number});
}

Result<cli::RunOutcome> run_in_daemon(const Project& project, const cli::RunOrder& order,
                                      cli::RunWatcher& watcher) {
  auto connection = Connection::open(project);
  if (!connection) return std::move(connection).error();
  Connection& daemon = **connection;
  daemon.listen([&watcher](const ipc::Frame& frame) { return tell_watcher(watcher, frame); });
  const Interrupt interrupt(daemon.loop(), [&] {
    watcher.remark(fmt::format("cancelling: {}; interrupt again to leave without waiting for them",
                               order.job.kind == JobKind::web ? "pages in flight finish"
                                                              : "its programs are asked to end"));
    daemon.caller().post(ipc::to_frame(ControlMessage::cancel_run, Done{}));
  });
  const ipc::RunJob wanted{order.job.id.text, order.job.revision, order.letters,
                           watcher.wants_pages()};
  auto ended = daemon.ask<ipc::FollowedRun>(ControlMessage::run_job, wanted);
  if (!ended) return not_to_be_tried_here(std::move(ended).error());
  if (ended->is_interrupted)
    watcher.remark("the daemon is leaving; the next one goes on with this run");
  cli::RunOutcome outcome;
  outcome.run = std::move(ended->run);
  outcome.costs = costs_of(ended->costs);
  outcome.cycles = ended->costs.cycles;
  outcome.messages.waiting = ended->messages_waiting;
  outcome.messages.sent = ended->messages_sent;
  outcome.messages.dead = ended->messages_dead;
  outcome.message_errors = std::move(ended->message_errors);
  return outcome;
}

}  // namespace heddle::app
