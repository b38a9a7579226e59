// What the daemon does for its clients: the handlers of the control verbs.
#include <algorithm>
#include <csignal>
#include <optional>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "app/client/offline_actions.hpp"
#include "app/daemon/daemon_service.hpp"
#include "app/daemon/disk_usage.hpp"
#include "base/rethrow_bug.hpp"
#include "base/run_concurrently.hpp"

namespace heddle::app {

namespace {

// Concurrent actions, so that the store writes them in one transaction.
constexpr std::size_t kActionBatch = 256;
constexpr const char* kWaits = "its run waits for a free run slot (limits.runs_in_parallel)";
constexpr const char* kWaitsForPages = "its run continues when the pages in progress have finished";
constexpr const char* kWaitsForPrograms =
    "its run continues when the programs in progress have finished";
constexpr const char* kUnwritten =
    "in effect now; it will be stored when the disk has space again (if the daemon dies before "
    "that, the change is lost)";

control::WorkerStatus to_status(const supervise::SlotStatus& slot,
                                const hub::RunDispatcher& dispatcher) {
  control::WorkerStatus status;
  status.name = slot.name;
  status.number = slot.number;
  status.pid = slot.pid;
  status.occurrence = slot.slot.occurrence;
  status.state = supervise::name_of(slot.state);
  status.uptime = slot.uptime;
  status.rss_bytes = slot.rss_bytes;
  status.restarts_in_window = slot.restarts_in_window;
  for (const JobId& job : dispatcher.jobs_at(slot.slot)) status.jobs.push_back(job.text);
  if (const Job* job = dispatcher.job_of_mark(slot.working_on)) status.working_on = job->id.text;
  if (slot.last_event) {
    status.last_event = supervise::name_of(slot.last_event->kind);
    status.last_event_at = slot.last_event->time;
    status.last_event_detail = slot.last_event->detail;
  }
  return status;
}

// Forwards pages to the client that follows the run, unless it does not keep up.
class PageForwarder final : public hub::RunObserver {
 public:
  PageForwarder(control::Requester& requester, bool is_wanted)
      : requester_(requester), is_wanted_(is_wanted) {}
  void page(const PageReport& page) override {
    if (is_wanted_ && !requester_.is_behind())
      requester_.notify(control::to_frame(control::kPageDone, page));
  }

 private:
  control::Requester& requester_;
  const bool is_wanted_;
};

}  // namespace

void DaemonService::add_verbs() {
  using control::Requester;
  verbs_.add(control::kStatus,
             [this](Done, Requester&) -> Result<control::DaemonStatus> { return status(); });
  verbs_.add(control::kMetrics,
             [this](Done, Requester&) -> Result<control::MetricsText> { return metrics(); });
  verbs_.add(control::kRestartWorker, [this](control::RestartWorker request, Requester&) {
    return restart_worker(request.number);
  });
  verbs_.add(control::kShutDown, [this](control::ShutDown request, const Requester& requester) {
    log_.info(fmt::format("stop requested by {}", requester.by()));
    // As a signal does it: there is one way to leave. The reply may come too late for the client.
    for (int signals = request.now ? 2 : 1; signals > 0; --signals) raise(SIGTERM);
    return Status(Done{});
  });
  verbs_.add(control::kRunJob, [this](control::RunJob request, Requester& requester) {
    return run_job(std::move(request), requester);
  });
  verbs_.add(control::kActOnJobs, [this](control::ActOnJobs request, const Requester& requester) {
    return act_on_jobs(std::move(request), requester.by());
  });
  verbs_.add(control::kReload,
             [this](control::Reload request, Requester&) { return reload(request.dry_run); });
  verbs_.add(control::kActOnDeadLetters, [this](control::ActOnDeadLetters request, Requester&) {
    return act_on_dead_letters(std::move(request));
  });
}

control::DaemonStatus DaemonService::status() {
  control::DaemonStatus status;
  status.pid = getpid();
  status.version = HEDDLE_VERSION;
  status.uptime = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - started_);
  status.jobs = project_.jobs.size();
  status.runs_under_way = scheduler_.runs_under_way();
  status.loop_latency = latency_.worst();
  status.database_bytes = database_bytes();
  status.storage_used = storage_.state().used;
  status.storage_limit = storage_.state().limit;
  status.storage_level = hub::to_text(storage_.state().level);
  for (const supervise::SlotStatus& slot : coordinator_->supervisor().status())
    if (supervise::runs_jobs(slot.kind))
      status.workers.push_back(to_status(slot, coordinator_->dispatcher()));
  std::stable_sort(status.workers.begin(), status.workers.end(),
                   [](const auto& a, const auto& b) { return a.number < b.number; });
  return status;
}

control::MetricsText DaemonService::metrics() {
  hub::MetricGauges gauges;
  gauges.tasks = coordinator_->dispatcher().tasks();
  for (const auto& [job, status] : scheduler_.status_store().all())
    ++gauges.jobs.at(static_cast<std::size_t>(status.state));
  gauges.runs_under_way = static_cast<std::int64_t>(scheduler_.runs_under_way());
  gauges.runs_waiting = static_cast<std::int64_t>(scheduler_.queued_runs().count);
  for (const store::RunLoad& run : system_.load().runs) gauges.queue_pages += run.open_tasks;
  gauges.outbox_messages = system_.load().messages_waiting;
  gauges.dead_letters = system_.load().dead_letters;
  gauges.database_bytes = database_bytes();
  gauges.loop_latency = latency_.worst();
  gauges.uptime = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - started_);
  for (const auto& [key, alert] : alerts_.raised())
    ++gauges.alerts.at(static_cast<std::size_t>(alert.level));
  return {hub::metrics_text(coordinator_->metrics(), gauges)};
}

Status DaemonService::restart_worker(int number) {
  // The last worker with that number: an earlier one is being retired.
  std::optional<supervise::SlotId> found;
  for (const supervise::SlotStatus& slot : coordinator_->supervisor().status())
    if (supervise::runs_jobs(slot.kind) && slot.number == number) found = slot.slot.slot;
  if (found) return coordinator_->supervisor().replace(*found);
  return Error{ErrorCode::not_found, fmt::format("there is no worker {}", number)};
}

Async<Result<control::FollowedRun>> DaemonService::run_job(control::RunJob request,
                                                           control::Requester& requester) {
  auto known = co_await reload_if_stale(request);
  if (!known) co_return std::move(known).error();
  JobId job{request.job};
  PageForwarder pages(requester, request.follow_pages);
  hub::RunRequest run;
  run.observer = &pages;
  run.by = requester.by();
  run.dead_letters = std::move(request.dead_letters);
  run.on_begun = [this, &requester](const Run& begun) {
    requester.on_cancel([this, id = begun.id, by = requester.by()] {
      boost::asio::co_spawn(loop_, cancel(id, by), rethrow_bug);
    });
    requester.notify(control::to_frame(control::kRunBegun, begun));
  };
  auto finished = co_await scheduler_.run_now(std::move(job), std::move(run));
  if (!finished) co_return std::move(finished).error();
  co_return co_await outbox_.deliver_after_run(std::move(*finished), Outbox::Await::of_the_job);
}

Async<Result<control::DeadLettersDone>> DaemonService::act_on_dead_letters(
    control::ActOnDeadLetters request) {
  auto done = co_await apply_dead_letter_action(coordinator_->store(), coordinator_->clock(),
                                                std::move(request));
  outbox_wake_.notify();
  co_return done;
}

// The client has just read the job's file, so the daemon must run that version.
Async<Status> DaemonService::reload_if_stale(const control::RunJob& request) {
  const Job* job = scheduler_.find_job(JobId{request.job});
  if (job == nullptr || job->version() != request.version) {
    const auto reloaded = co_await reload(false);
    if (!reloaded) co_return reloaded.error();
  }
  if (scheduler_.find_job(JobId{request.job}) != nullptr) co_return Done{};
  co_return Error{ErrorCode::not_found, "the daemon has not loaded job '" + request.job +
                                            "': `heddle check " + request.job +
                                            "` lists the errors of its files; if it uses "
                                            "environment variables that were not set when the "
                                            "daemon started, restart the daemon with them"};
}

Async<void> DaemonService::cancel(RunId run, std::string by) {
  const auto& statuses = scheduler_.status_store().all();
  const auto found = std::find_if(statuses.begin(), statuses.end(),
                                  [&run](const auto& each) { return each.second.run == run; });
  if (found == statuses.end()) co_return;
  JobId job = found->first;
  lifecycle::ActionRequest request{lifecycle::JobAction::cancel, false, std::move(by)};
  const auto cancelled = co_await scheduler_.act(std::move(job), std::move(request));
  if (!cancelled) log_.info(cancelled.error().message);
}

Async<Result<std::vector<control::JobActionResult>>> DaemonService::act_on_jobs(
    control::ActOnJobs request, std::string by) {
  const bool is_delete = request.action == lifecycle::kDeleteAction;
  const auto action = lifecycle::job_action_from(request.action);
  if (!is_delete && (!action || !lifecycle::is_user_action(*action)))
    co_return Error{ErrorCode::bad_input, "unknown action '" + request.action + "'"};
  std::vector<control::JobActionResult> results(request.jobs.size());
  std::function<Async<void>(std::size_t)> one = [&](std::size_t index) {
    results[index].job = std::move(request.jobs[index]);
    if (is_delete) return delete_job(results[index]);
    return act_on(results[index], {*action, request.force, by});
  };
  co_await run_concurrently(results.size(), kActionBatch, std::move(one));
  if (is_delete) housekeeper_.wake();
  co_return results;
}

Async<void> DaemonService::delete_job(control::JobActionResult& result) {
  JobId job{result.job};
  const auto removed = co_await scheduler_.remove(std::move(job));
  if (!removed) co_return describe_refusal(removed.error(), scheduler_.status_store(), result);
  result.state = kDeleted;
  // Forget the former version, so that a broken file cannot bring the job back.
  std::erase_if(project_.jobs, [&result](const Job& each) { return each.id.text == result.job; });
  log_.info("job '" + result.job + "' was deleted; its data is removed in the background");
  const auto remove = [folder = data_folder_of(project_, result.job)] {
    return remove_folder(folder);
  };
  const auto emptied = co_await disk_thread_.run(remove);
  if (!emptied) log_.warn(emptied.error().message);
}

std::string DaemonService::why_queued(const JobId& id) const {
  if (!scheduler_.is_pausing(id)) return kWaits;
  const Job* job = scheduler_.find_job(id);
  const bool has_programs = job != nullptr && (job->kind != JobKind::web || !job->hooks.empty());
  return has_programs ? kWaitsForPrograms : kWaitsForPages;
}

Async<void> DaemonService::act_on(control::JobActionResult& result,
                                  lifecycle::ActionRequest request) {
  JobId job{result.job};
  const lifecycle::JobAction action = request.action;
  const auto status = co_await scheduler_.act(std::move(job), std::move(request));
  if (!status)
    co_return describe_refusal(status.error(), scheduler_.status_store(), result, action);
  result.state = to_text(status->state);
  if (status->queued_run) result.remark = why_queued(JobId{result.job});
  if (scheduler_.has_pending_write(JobId{result.job})) result.remark = kUnwritten;
}

}  // namespace heddle::app
