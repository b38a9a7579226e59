#include "worker/worker.hpp"

#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <fmt/format.h>

#include "base/rethrow_bug.hpp"
#include "ipc/worker_messages.hpp"

namespace heddle::worker {

using ipc::WorkerMessage;

Worker::Worker(boost::asio::any_io_executor loop, WorkerParts parts)
    : loop_(std::move(loop)), parts_(std::move(parts)) {}

Status Worker::handle(const ipc::Frame& frame) {
  switch (static_cast<WorkerMessage>(frame.type)) {
    case WorkerMessage::start_run:
      return ipc::handle_frame<ipc::StartRun>(
          frame, [this](ipc::StartRun request) { start(std::move(request)); });
    case WorkerMessage::stop_run:
      return ipc::handle_frame<ipc::StopRun>(frame, [this](const ipc::StopRun& request) {
        const auto found = runs_.find(request.run);
        if (found == runs_.end()) return;
        end_early(found->second, request.is_final ? EarlyEnd::stop : EarlyEnd::interrupt);
      });
    case WorkerMessage::host_granted:
      return ipc::handle_frame<ipc::HostGranted>(
          frame, [this](ipc::HostGranted grant) { parts_.gate.on_granted(grant.request); });
    default:
      return Error{ErrorCode::corrupt,
                   fmt::format("the coordinator sent a message of type {}", frame.type)};
  }
}

void Worker::start(ipc::StartRun request) {
  if (!runs_.try_emplace(request.run).second) return;  // already active
  boost::asio::co_spawn(loop_, execute_run(std::move(request)), rethrow_bug);
}

void Worker::end_early(ActiveRun& run, EarlyEnd how) {
  run.early_end = how;
  if (run.runner == nullptr) return;
  if (how == EarlyEnd::stop)
    run.runner->stop();
  else
    run.runner->interrupt();
}

void Worker::drain() {
  is_draining_ = true;
  for (auto& [run, active] : runs_)
    if (!active.early_end) end_early(active, EarlyEnd::interrupt);
}

Async<void> Worker::idle() {
  while (!runs_.empty()) co_await run_ended_.wait();
}

Async<void> Worker::execute_run(ipc::StartRun request) {
  const auto ended = std::make_unique<ipc::RunEnded>();
  ended->run = request.run;
  auto result = co_await process_run(request);
  if (result) {
    ended->result = std::move(*result);
  } else {
    ended->result.outcome.state = RunState::failed;
    ended->result.errors.push_back({ErrorKind::not_begun, std::move(result).error().message, ""});
  }
  ipc::Frame frame = ipc::to_frame(WorkerMessage::run_ended, *ended);
  co_await parts_.coordinator.notify(std::move(frame));
  runs_.erase(request.run);
  run_ended_.notify();
}

Async<Result<ExecutionResult>> Worker::process_run(const ipc::StartRun& request) {
  ExecutionResult not_begun;
  not_begun.end = ExecutionEnd::interrupted;
  if (is_draining_) co_return not_begun;
  auto job = parts_.find_job(request.job, request.version);
  if (!job && job.error().code == ErrorCode::conflict) {
    not_begun.end = ExecutionEnd::unreadable;
    not_begun.errors.push_back({ErrorKind::unreadable, std::move(job).error().message, ""});
    co_return not_begun;
  }
  if (!job) co_return std::move(job).error();
  if (parts_.refresh_job) {
    auto refreshed = co_await parts_.refresh_job(request.job);
    if (!refreshed) co_return std::move(refreshed).error();
  }
  auto session = co_await parts_.context.jobs().load(*job);
  if (!session) {
    not_begun.end = ExecutionEnd::script_unreadable;
    not_begun.errors.push_back({ErrorKind::not_begun, std::move(session).error().message, ""});
    co_return not_begun;
  }
  (*session)->shares_pages = request.shares_pages;
  auto result = co_await run_pages(request, **session);
  save_cookies(**session);
  co_return result;
}

Async<ExecutionResult> Worker::run_pages(const ipc::StartRun& request,
                                         pipeline::JobSession& session) {
  const Job& job = session.plan.job;
  const auto queue = parts_.make_queue(request.run, job);
  const auto runner = std::make_unique<PageRunner>(parts_.context.services(), session, *queue,
                                                   options_for(request, job));
  ActiveRun& active = runs_.at(request.run);
  active.runner = runner.get();
  if (active.early_end) end_early(active, *active.early_end);
  const PagesReport report = co_await runner->run();
  ActiveRun& afterwards = runs_.at(request.run);
  afterwards.runner = nullptr;
  co_return result_of(report, afterwards.early_end);
}

// The coordinator knows who halted a run, and judges by the outcomes of its pages.
ExecutionResult Worker::result_of(const PagesReport& report, std::optional<EarlyEnd> early_end) {
  ExecutionResult result;
  result.costs = report.costs;
  if (early_end == EarlyEnd::interrupt) {
    result.end = ExecutionEnd::interrupted;
  } else if (report.store_failed) {
    const RunError& why = report.errors.back();
    if (why.kind == ErrorKind::store_unavailable) result.end = ExecutionEnd::store_unavailable;
    result.outcome.state = RunState::failed;
    result.errors.push_back(why);
  } else if (early_end) {
    result.end = ExecutionEnd::interrupted;
  } else if (report.ran_out_of_time) {
    result.outcome.state = RunState::limited;
  }
  return result;
}

PageRunnerOptions Worker::options_for(const ipc::StartRun& request, const Job& job) {
  PageRunnerOptions options;
  options.deadline = std::chrono::steady_clock::now() + request.time_left;
  options.on_page = [this, run = request.run](const PageReport& page) {
    const ipc::PageReported reported{run, page};
    parts_.coordinator.post(ipc::to_frame(WorkerMessage::page_reported, reported));
  };
  if (job.debug && parts_.keep_artefacts)
    options.on_artefacts = [this, job](const Task& task, const pipeline::Artefacts& artefacts,
                                       const CycleTrace&) {
      parts_.keep_artefacts(job, task, artefacts);
    };
  return options;
}

void Worker::save_cookies(pipeline::JobSession& session) {
  if (session.plan.job.cookie_file.empty()) return;
  auto saved = session.cookies.save(session.plan.job.cookie_file);
  if (!saved) parts_.context.services().log.warn(saved.error().message);
}

}  // namespace heddle::worker
