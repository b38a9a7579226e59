#include "hub/worker_service.hpp"

#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <fmt/format.h>

#include "base/rethrow_bug.hpp"
#include "ipc/caller.hpp"
#include "ipc/messages/take.hpp"
#include "ipc/messages/worker_message_values.hpp"

namespace heddle::hub {

namespace asio = boost::asio;
using ipc::WorkerMessage;

namespace {

// A worker has a few pages under way; one that asks more than this at once has lost its mind.
constexpr std::size_t kMaxUnanswered = 1024;
// Nor does it wait for more hosts at once than all its pages could.
constexpr std::size_t kMaxWishes = 16'384;

Error no_longer_yours(const RunId& run) {
  return {ErrorCode::conflict, "run " + run.text + " is not worked on by this process (any more)"};
}

bool is_question(std::uint16_t type) {
  return type >= static_cast<std::uint16_t>(WorkerMessage::lease_tasks) &&
         type <= static_cast<std::uint16_t>(WorkerMessage::charge);
}

}  // namespace

// A place in a host's queue, then the right to one request.
struct WorkerService::Wish {
  net::HostGrant grant;
  Doorbell given_up;
  bool is_over = false;
};

WorkerService::WorkerService(asio::any_io_executor loop, ServiceParts parts,
                             supervise::SlotRef worker, std::shared_ptr<ipc::Channel> channel)
    : loop_(std::move(loop)),
      parts_(std::move(parts)),
      worker_(worker),
      channel_(std::move(channel)) {}

WorkerService::~WorkerService() = default;

void WorkerService::end() {
  has_ended_ = true;
  const auto wishes = std::exchange(wishes_, {});
  for (const auto& [number, wish] : wishes) let_go(wish);
  answered_.ring();
}

Async<Status> WorkerService::handle(ipc::Frame frame) {
  if (!is_question(frame.type)) co_return take_notice(frame);
  while (unanswered_ >= kMaxUnanswered && !has_ended_) co_await answered_.wait();
  co_return take_question(frame);
}

Status WorkerService::take_question(const ipc::Frame& frame) {
  if (has_ended_) return Done{};
  if (frame.number == 0) return Error{ErrorCode::corrupt, "a question without a number"};
  switch (static_cast<WorkerMessage>(frame.type)) {
    case WorkerMessage::lease_tasks:
      return begin(frame, &WorkerService::lease);
    case WorkerMessage::commit:
      return begin(frame, &WorkerService::commit);
    case WorkerMessage::postpone:
      return begin(frame, &WorkerService::postpone);
    case WorkerMessage::bury:
      return begin(frame, &WorkerService::bury);
    default:
      return begin(frame, &WorkerService::charge);
  }
}

template <class Question, class Answer>
Status WorkerService::begin(const ipc::Frame& frame,
                            Async<Result<Answer>> (WorkerService::*find)(Question)) {
  auto question = ipc::content_of<Question>(frame);
  if (!question) return std::move(question).error();
  ++unanswered_;
  const auto self = shared_from_this();
  auto found = (this->*find)(std::move(*question));
  auto work = answer(frame.type, frame.number, std::move(found));
  asio::co_spawn(loop_, std::move(work), [self](const std::exception_ptr& bug) {
    --self->unanswered_;
    self->answered_.ring();
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
  reply.type = type | ipc::kAnswerBit;
  reply.number = number;
  reply.body = ipc::packed(result);
  co_await channel_->send(std::move(reply));
}

Async<Result<TaskBatch>> WorkerService::lease(ipc::LeaseTasks wanted) {
  if (parts_.runs.held_by(worker_, wanted.run) == nullptr) co_return no_longer_yours(wanted.run);
  RunId run = wanted.run;
  auto batch = co_await parts_.store.lease_tasks(std::move(run), wanted.max, wanted.now);
  if (batch && !batch->leases.empty()) note_task(wanted.run, TaskState::processing);
  co_return batch;
}

Async<Result<CommitReceipt>> WorkerService::commit(PageResult page) {
  const ActiveRun* run = parts_.runs.held_by(worker_, page.lease.task.run);
  if (run == nullptr) co_return no_longer_yours(page.lease.task.run);
  // What one job's worker says is stored for that job only.
  if (page.job != run->job.id)
    co_return Error{ErrorCode::bad_input,
                    "a page of job '" + page.job.text + "' in a run of '" + run->job.id.text + "'"};
  // Channels are the project's: pages tell their job's own webhook and notification only.
  for (Delivery& delivery : page.deliveries) delivery.channel.clear();
  page.cost.slot = parts_.slot_number;
  const JobId job = page.job;
  const RunId id = page.lease.task.run;
  const TaskState outcome = page.outcome;
  auto receipt = co_await parts_.store.commit(std::move(page));
  if (receipt) parts_.on_page_done(job);
  if (receipt) note_task(id, outcome);
  co_return receipt;
}

Async<Status> WorkerService::postpone(TaskRetry retry) {
  const RunId run = retry.lease.task.run;
  if (parts_.runs.held_by(worker_, run) == nullptr) co_return no_longer_yours(run);
  retry.cost.slot = parts_.slot_number;
  auto postponed = co_await parts_.store.postpone(std::move(retry));
  if (postponed) note_task(run, TaskState::retry);
  co_return postponed;
}

Async<Status> WorkerService::bury(TaskDeath death) {
  const ActiveRun* run = parts_.runs.held_by(worker_, death.lease.task.run);
  if (run == nullptr) co_return no_longer_yours(death.lease.task.run);
  const JobId job = run->job.id;
  const RunId id = run->id;
  death.cost.slot = parts_.slot_number;
  auto buried = co_await parts_.store.bury(std::move(death));
  if (buried) parts_.on_page_done(job);
  if (buried) note_task(id, TaskState::dead);
  co_return buried;
}

Async<Status> WorkerService::charge(ipc::RunCharge charge) {
  if (parts_.runs.held_by(worker_, charge.run) == nullptr) co_return no_longer_yours(charge.run);
  charge.cost.slot = parts_.slot_number;
  co_return co_await parts_.store.charge(std::move(charge.run), charge.cost);
}

void WorkerService::note_task(const RunId& run, TaskState state) const {
  if (parts_.on_task) parts_.on_task(run, state);
}

Status WorkerService::take_notice(const ipc::Frame& frame) {
  if (has_ended_) return Done{};
  switch (static_cast<WorkerMessage>(frame.type)) {
    case WorkerMessage::want_host:
      if (wishes_.size() >= kMaxWishes)
        return Error{ErrorCode::corrupt, fmt::format("more than {} wishes at once", kMaxWishes)};
      return ipc::take<ipc::WantHost>(
          frame, [this](ipc::WantHost wish) { want_host(wish.wish, std::move(wish.host)); });
    case WorkerMessage::leave_host:
      return ipc::take<ipc::LeaveHost>(frame,
                                       [this](ipc::LeaveHost left) { leave_host(left.wish); });
    case WorkerMessage::slow_down_host:
      return ipc::take<ipc::SlowDownHost>(frame, [this](const ipc::SlowDownHost& slow) {
        parts_.gate.slow_down(slow.host, std::chrono::steady_clock::now() + slow.time);
      });
    case WorkerMessage::keep_host_apart:
      return ipc::take<ipc::KeepHostApart>(frame, [this](const ipc::KeepHostApart& apart) {
        parts_.gate.keep_apart(apart.host, apart.delay);
      });
    case WorkerMessage::page_news:
      return ipc::take<ipc::PageNews>(frame, [this](const ipc::PageNews& news) {
        const ActiveRun* run = parts_.runs.held_by(worker_, news.run);
        if (run != nullptr && run->follower != nullptr) run->follower->page(news.page);
      });
    case WorkerMessage::run_ended:
      return ipc::take<ipc::RunEnded>(frame,
                                      [this](ipc::RunEnded ended) { run_ended(std::move(ended)); });
    case WorkerMessage::log_line:
      return ipc::take<ipc::LogLine>(
          frame, [this](const ipc::LogLine& line) { parts_.log.write(line.level, line.text); });
    default:
      return Error{ErrorCode::corrupt, fmt::format("a message of unknown type {}", frame.type)};
  }
}

void WorkerService::run_ended(ipc::RunEnded ended) {
  ActiveRun* run = parts_.runs.held_by(worker_, ended.run);
  if (run == nullptr) return;  // it was taken away meanwhile
  run->ended = std::move(ended);
  run->news.ring();
}

void WorkerService::want_host(std::uint64_t number, std::string host) {
  auto wish = std::make_shared<Wish>();
  if (!wishes_.emplace(number, wish).second) return;
  asio::co_spawn(loop_, wait_at_gate(number, std::move(wish), std::move(host)), rethrow_bug);
}

void WorkerService::leave_host(std::uint64_t number) {
  const auto found = wishes_.find(number);
  if (found == wishes_.end()) return;
  const auto wish = std::move(found->second);
  wishes_.erase(found);
  let_go(wish);
}

void WorkerService::let_go(const std::shared_ptr<Wish>& wish) {
  wish->is_over = true;
  wish->grant = {};
  wish->given_up.ring();
}

Async<void> WorkerService::wait_at_gate(std::uint64_t number, std::shared_ptr<Wish> wish,
                                        std::string host) {
  using asio::experimental::awaitable_operators::operator||;
  const auto self = shared_from_this();
  if (wish->is_over) co_return;
  auto turn = parts_.gate.enter(std::move(host));
  auto given_up = wish->given_up.wait();
  auto first = co_await (std::move(turn) || std::move(given_up));
  if (wish->is_over || first.index() != 0) co_return;
  wish->grant = std::move(std::get<0>(first));
  const ipc::HostGranted message{number};
  channel_->post(ipc::to_frame(WorkerMessage::host_granted, message));
}

}  // namespace heddle::hub
