#include "app/client/daemon_client.hpp"

#include <memory>
#include <utility>

#include <fmt/format.h>

#include "app/client/run_report.hpp"
#include "app/daemon/daemon.hpp"
#include "app/interrupt.hpp"
#include "app/project/project_lock.hpp"
#include "control/verb_frames.hpp"
#include "ipc/messages/decode_frame.hpp"

namespace heddle::app {

namespace {

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

// Forwards the daemon's events of the run.
Status notify_watcher(cli::RunWatcher& watcher, const ipc::Frame& frame) {
  if (frame.type == control::kRunBegun.number)
    return ipc::handle_frame<Run>(frame, [&](const Run& run) { watcher.run_started(run); });
  if (frame.type == control::kPageDone.number)
    return ipc::handle_frame<PageReport>(
        frame, [&](const PageReport& page) { watcher.page(page_progress_of(page)); });
  return Done{};
}

}  // namespace

Result<std::unique_ptr<control::ControlClient>> connect_to_daemon(const Project& project) {
  auto client = control::ControlClient::connect(control_socket(project), HEDDLE_VERSION);
  if (!client) return no_daemon(project, client.error());
  return client;
}

Result<cli::RunReport> run_in_daemon(const Project& project, const cli::RunJobOptions& options,
                                     cli::RunWatcher& watcher) {
  auto client = connect_to_daemon(project);
  if (!client) return std::move(client).error();
  control::ControlClient& daemon = **client;
  daemon.on_notification(
      [&watcher](const ipc::Frame& frame) { return notify_watcher(watcher, frame); });
  const Interrupt interrupt(daemon.loop(), [&] {
    watcher.notice(fmt::format("cancelling: {}; interrupt again to leave without waiting for them",
                               options.job.kind == JobKind::web ? "pages in flight finish"
                                                                : "its programs are asked to end"));
    daemon.post(control::to_frame(control::kCancelRun, Done{}));
  });
  const control::RunJob request{options.job.id.text, options.job.revision, options.dead_letters,
                                watcher.wants_pages()};
  auto ended = daemon.call(control::kRunJob, request);
  // `not_found` would mean that there is no daemon.
  if (!ended && ended.error().code == ErrorCode::not_found)
    return Error{ErrorCode::conflict, ended.error().message};
  if (!ended) return std::move(ended).error();
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
