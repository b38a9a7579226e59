#include "worker/worker.hpp"

#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <fmt/format.h>

#include "base/rethrow_bug.hpp"
#include "ipc/messages/take.hpp"
#include "ipc/messages/worker_message_values.hpp"

namespace heddle::worker {

using ipc::WorkerMessage;

Worker::Worker(boost::asio::any_io_executor loop, WorkerParts parts)
    : loop_(std::move(loop)), parts_(std::move(parts)) {}

Status Worker::handle(const ipc::Frame& frame) {
  switch (static_cast<WorkerMessage>(frame.type)) {
    case WorkerMessage::start_run:
      return ipc::take<ipc::StartRun>(frame,
                                      [this](ipc::StartRun order) { start(std::move(order)); });
    case WorkerMessage::stop_run:
      return ipc::take<ipc::StopRun>(frame, [this](const ipc::StopRun& order) {
        const auto found = runs_.find(order.run);
        if (found == runs_.end()) return;
        end_early(found->second, order.is_over ? ipc::RunEnd::stopped : ipc::RunEnd::interrupted);
      });
    case WorkerMessage::host_granted:
      return ipc::take<ipc::HostGranted>(
          frame, [this](ipc::HostGranted grant) { parts_.gate.granted(grant.wish); });
    default:
      return Error{ErrorCode::corrupt,
                   fmt::format("the coordinator sent a message of type {}", frame.type)};
  }
}

void Worker::start(ipc::StartRun order) {
  if (!runs_.try_emplace(order.run).second) return;  // it works on it already
  boost::asio::co_spawn(loop_, work_on(std::move(order)), rethrow_bug);
}

void Worker::end_early(RunUnderWay& run, ipc::RunEnd how) {
  run.early_end = how;
  if (run.runner == nullptr) return;
  if (how == ipc::RunEnd::stopped)
    run.runner->stop();
  else
    run.runner->interrupt();
}

void Worker::drain() {
  is_draining_ = true;
  for (auto& [run, under_way] : runs_)
    if (!under_way.early_end) end_early(under_way, ipc::RunEnd::interrupted);
}

Async<void> Worker::idle() {
  while (!runs_.empty()) co_await run_over_.wait();
}

Async<void> Worker::work_on(ipc::StartRun order) {
  const auto ended = std::make_unique<ipc::RunEnded>();
  ended->run = order.run;
  auto worked = co_await work_through(order, *ended);
  if (!worked) {
    ended->end = ipc::RunEnd::not_begun;
    ended->problem = {"not_begun", std::move(worked).error().message, ""};
  }
  ipc::Frame frame = ipc::to_frame(WorkerMessage::run_ended, *ended);
  co_await parts_.coordinator.tell(std::move(frame));
  runs_.erase(order.run);
  run_over_.ring();
}

Async<Status> Worker::work_through(const ipc::StartRun& order, ipc::RunEnded& ended) {
  ended.end = ipc::RunEnd::interrupted;
  if (is_draining_) co_return Done{};
  auto job = parts_.find_job(order.job, order.revision);
  if (!job && job.error().code == ErrorCode::conflict) {
    ended.end = ipc::RunEnd::unreadable;
    ended.problem = {"unreadable", std::move(job).error().message, ""};
    co_return Done{};
  }
  if (!job) co_return std::move(job).error();
  if (parts_.look_up_anew) {
    auto looked_up = co_await parts_.look_up_anew(order.job);
    if (!looked_up) co_return looked_up;
  }
  auto state = co_await parts_.shop.jobs().load(*job);
  if (!state) {
    ended.end = ipc::RunEnd::not_loaded;
    ended.problem = {"not_begun", std::move(state).error().message, ""};
    co_return Done{};
  }
  (*state)->shares_pages = order.shares_pages;
  co_await run_pages(order, **state, ended);
  save_cookies(**state);
  co_return Done{};
}

Async<void> Worker::run_pages(const ipc::StartRun& order, pipeline::JobState& state,
                              ipc::RunEnded& ended) {
  const Job& job = state.plan.job;
  const auto queue = parts_.make_queue(order.run, job);
  const auto runner =
      std::make_unique<PageRunner>(parts_.shop.services(), state, *queue, options_for(order, job));
  RunUnderWay& under_way = runs_.at(order.run);
  under_way.runner = runner.get();
  if (under_way.early_end) end_early(under_way, *under_way.early_end);
  ended.report = co_await runner->run();
  RunUnderWay& afterwards = runs_.at(order.run);
  afterwards.runner = nullptr;
  ended.end = afterwards.early_end.value_or(ipc::RunEnd::worked_through);
}

PageRunnerOptions Worker::options_for(const ipc::StartRun& order, const Job& job) {
  PageRunnerOptions options;
  options.deadline = std::chrono::steady_clock::now() + order.time_left;
  options.on_page = [this, run = order.run](const PageReport& page) {
    const ipc::PageNews news{run, page};
    parts_.coordinator.post(ipc::to_frame(WorkerMessage::page_news, news));
  };
  if (job.debug && parts_.keep_artefacts)
    options.on_artefacts = [this, job](const Task& task, const pipeline::Artefacts& artefacts,
                                       const CycleTrace&) {
      parts_.keep_artefacts(job, task, artefacts);
    };
  return options;
}

void Worker::save_cookies(pipeline::JobState& state) {
  if (state.plan.job.cookie_file.empty()) return;
  auto saved = state.cookies.save(state.plan.job.cookie_file);
  if (!saved) parts_.shop.services().log.warn(saved.error().message);
}

}  // namespace heddle::worker
