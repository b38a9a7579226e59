#include "hub/runs/dispatch/worker_service.hpp"

#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <fmt/format.h>

#include "base/rethrow_bug.hpp"
#include "ipc/rpc_peer.hpp"
#include "ipc/worker_messages.hpp"

namespace heddle::hub {

namespace asio = boost::asio;
using ipc::WorkerMessage;

namespace {

// A worker has only a few pages in flight: more requests than this are a protocol violation.
constexpr std::size_t kMaxPending = 1024;
// The same for hosts it waits for.
constexpr std::size_t kMaxHostRequests = 16'384;

Error not_the_holder(const RunId& run) {
  return {ErrorCode::conflict, "run " + run.text + " is not assigned to this process"};
}

bool is_request(std::uint16_t type) {
  return type >= static_cast<std::uint16_t>(WorkerMessage::lease_tasks) &&
         type <= static_cast<std::uint16_t>(WorkerMessage::charge);
}

}  // namespace

// A queued request for a host, then the grant for one fetch.
struct WorkerService::HostRequest {
  net::HostGrant grant;
  WakeSignal cancelled;
  bool is_over = false;
};

void WorkerService::end() {
  has_ended_ = true;
  const auto requests = std::exchange(host_requests_, {});
  for (const auto& [number, request] : requests) release(request);
  answer_sent_.notify();
}

Async<Status> WorkerService::handle(ipc::Frame frame) {
  if (!is_request(frame.type)) co_return handle_notification(frame);
  while (pending_ >= kMaxPending && !has_ended_) co_await answer_sent_.wait();
  co_return handle_request(frame);
}

Status WorkerService::handle_request(const ipc::Frame& frame) {
  if (has_ended_) return Done{};
  if (frame.number == 0) return Error{ErrorCode::corrupt, "a request without a number"};
  switch (static_cast<WorkerMessage>(frame.type)) {
    case WorkerMessage::lease_tasks:
      return begin(frame, &WorkerService::lease);
    case WorkerMessage::commit:
      return begin(frame, &WorkerService::commit);
    case WorkerMessage::postpone:
      return begin(frame, &WorkerService::postpone);
    case WorkerMessage::dead_letter:
      return begin(frame, &WorkerService::dead_letter);
    default:
      return begin(frame, &WorkerService::charge);
  }
}

template <class Question, class Answer>
Status WorkerService::begin(const ipc::Frame& frame,
                            Async<Result<Answer>> (WorkerService::*find)(Question)) {
  auto question = ipc::decode_frame<Question>(frame);
  if (!question) return std::move(question).error();
  ++pending_;
  const auto self = shared_from_this();
  auto found = (this->*find)(std::move(*question));
  auto work = answer(frame.type, frame.number, std::move(found));
  asio::co_spawn(loop_, std::move(work), [self](const std::exception_ptr& bug) {
    --self->pending_;
    self->answer_sent_.notify();
    rethrow_bug(bug);
  });
  return Done{};
}

template <class Answer>
Async<void> WorkerService::answer(std::uint16_t type, std::uint32_t number,
                                  Async<Result<Answer>> found) {
  const Result<Answer> result = co_await std::move(found);
  if (has_ended_) co_return;
  ipc::Frame reply;
  reply.type = type | ipc::kReplyBit;
  reply.number = number;
  reply.body = ipc::packed(result);
  co_await channel_->send(std::move(reply));
}

Async<Result<TaskBatch>> WorkerService::lease(ipc::LeaseTasks wanted) {
  if (parts_.runs.held_by(worker_, wanted.run) == nullptr) co_return not_the_holder(wanted.run);
  auto batch = co_await parts_.store.lease_tasks(wanted.run, wanted.max, wanted.now);
  if (batch && !batch->leases.empty()) parts_.on_task(wanted.run, TaskState::processing);
  co_return batch;
}

Async<Result<CommitReceipt>> WorkerService::commit(PageResult page) {
  const ActiveRun* run = parts_.runs.held_by(worker_, page.lease.task.run);
  if (run == nullptr) co_return not_the_holder(page.lease.task.run);
  // A worker may store pages only for the job of the run.
  if (page.job != run->job.id)
    co_return Error{ErrorCode::bad_input,
                    "a page of job '" + page.job.text + "' in a run of '" + run->job.id.text + "'"};
  // Channels belong to the project: pages may use only their job's own webhook and notification.
  for (Delivery& delivery : page.deliveries) delivery.channel.clear();
  page.cost.slot = parts_.slot_number;
  const JobId job = page.job;
  const RunId id = page.lease.task.run;
  const TaskState outcome = page.outcome;
  auto receipt = co_await parts_.store.commit(std::move(page));
  if (receipt) parts_.on_page_done(job);
  if (receipt) parts_.on_task(id, outcome);
  co_return receipt;
}

Async<Status> WorkerService::postpone(TaskRetry retry) {
  const RunId run = retry.lease.task.run;
  if (parts_.runs.held_by(worker_, run) == nullptr) co_return not_the_holder(run);
  retry.cost.slot = parts_.slot_number;
  auto postponed = co_await parts_.store.postpone(std::move(retry));
  if (postponed) parts_.on_task(run, TaskState::retry);
  co_return postponed;
}

Async<Status> WorkerService::dead_letter(TaskDeath death) {
  const ActiveRun* run = parts_.runs.held_by(worker_, death.lease.task.run);
  if (run == nullptr) co_return not_the_holder(death.lease.task.run);
  const JobId job = run->job.id;
  const RunId id = run->id;
  death.cost.slot = parts_.slot_number;
  auto stored = co_await parts_.store.dead_letter(std::move(death));
  if (stored) parts_.on_page_done(job);
  if (stored) parts_.on_task(id, TaskState::dead);
  co_return stored;
}

Async<Status> WorkerService::charge(ipc::RunCharge charge) {
  if (parts_.runs.held_by(worker_, charge.run) == nullptr) co_return not_the_holder(charge.run);
  charge.cost.slot = parts_.slot_number;
  co_return co_await parts_.store.charge(std::move(charge.run), charge.cost);
}

Status WorkerService::handle_notification(const ipc::Frame& frame) {
  if (has_ended_) return Done{};
  switch (static_cast<WorkerMessage>(frame.type)) {
    case WorkerMessage::acquire_host:
      if (host_requests_.size() >= kMaxHostRequests)
        return Error{ErrorCode::corrupt,
                     fmt::format("more than {} requests at once", kMaxHostRequests)};
      return ipc::handle_frame<ipc::AcquireHost>(frame, [this](ipc::AcquireHost wanted) {
        request_host(wanted.request, std::move(wanted.host));
      });
    case WorkerMessage::release_host:
      return ipc::handle_frame<ipc::ReleaseHost>(
          frame, [this](ipc::ReleaseHost left) { release_host(left.request); });
    case WorkerMessage::slow_down_host:
      return ipc::handle_frame<ipc::SlowDownHost>(frame, [this](const ipc::SlowDownHost& slow) {
        parts_.gate.slow_down(slow.host, std::chrono::steady_clock::now() + slow.time);
      });
    case WorkerMessage::set_host_delay:
      return ipc::handle_frame<ipc::SetHostDelay>(frame, [this](const ipc::SetHostDelay& apart) {
        parts_.gate.keep_apart(apart.host, apart.delay);
      });
    case WorkerMessage::page_reported:
      return ipc::handle_frame<ipc::PageReported>(frame, [this](const ipc::PageReported& report) {
        const ActiveRun* run = parts_.runs.held_by(worker_, report.run);
        if (run != nullptr && run->observer != nullptr) run->observer->page(report.page);
      });
    case WorkerMessage::run_ended:
      return ipc::handle_frame<ipc::RunEnded>(
          frame, [this](ipc::RunEnded ended) { run_ended(std::move(ended)); });
    case WorkerMessage::log_line:
      return ipc::handle_frame<ipc::WorkerLogLine>(frame, [this](const ipc::WorkerLogLine& line) {
        parts_.log.write({.level = line.level,
                          .text = line.text,
                          .about = {.job = line.job},
                          .is_in_job_log = line.is_in_job_log});
      });
    default:
      return Error{ErrorCode::corrupt, fmt::format("a message of unknown type {}", frame.type)};
  }
}

void WorkerService::run_ended(ipc::RunEnded ended) {
  ActiveRun* run = parts_.runs.held_by(worker_, ended.run);
  if (run == nullptr) return;  // reassigned meanwhile
  run->ended = std::move(ended.result);
  run->changed.notify();
}

void WorkerService::request_host(std::uint64_t number, std::string host) {
  auto request = std::make_shared<HostRequest>();
  if (!host_requests_.emplace(number, request).second) return;
  asio::co_spawn(loop_, wait_for_host(number, std::move(request), std::move(host)), rethrow_bug);
}

void WorkerService::release_host(std::uint64_t number) {
  const auto found = host_requests_.find(number);
  if (found == host_requests_.end()) return;
  const auto request = std::move(found->second);
  host_requests_.erase(found);
  release(request);
}

void WorkerService::release(const std::shared_ptr<HostRequest>& request) {
  request->is_over = true;
  request->grant = {};
  request->cancelled.notify();
}

Async<void> WorkerService::wait_for_host(std::uint64_t number, std::shared_ptr<HostRequest> request,
                                         std::string host) {
  using asio::experimental::awaitable_operators::operator||;
  const auto self = shared_from_this();
  if (request->is_over) co_return;
  auto turn = parts_.gate.enter(std::move(host));
  auto cancelled = request->cancelled.wait();
  auto first = co_await (std::move(turn) || std::move(cancelled));
  if (request->is_over || first.index() != 0) co_return;
  request->grant = std::move(std::get<0>(first));
  const ipc::HostGranted message{number};
  channel_->post(ipc::to_frame(WorkerMessage::host_granted, message));
}

}  // namespace heddle::hub
