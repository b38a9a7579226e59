#include "hub/outbox_sender.hpp"

#include <algorithm>
#include <deque>
#include <unordered_set>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/format.h>

#include "hub/delivery_schedule.hpp"

namespace heddle::hub {

namespace asio = boost::asio;
using notify::SendOutcome;
using notify::SendResult;

struct OutboxSender::Pass {
  WallTime now{};
  std::deque<Delivery> todo;  // in hand
  std::unordered_set<DeliveryId> seen;
  std::vector<DeliveryId> elsewhere;  // another pass has them
  OutboxReport report;
  std::optional<Error> store_error;  // nothing is sent any more that could not be written down
};

OutboxSender::OutboxSender(store::Store& store, notify::Sender& sender, FindJob find_job, Log& log,
                           FindChannel find_channel)
    : store_(store),
      sender_(sender),
      find_job_(std::move(find_job)),
      log_(log),
      find_channel_(std::move(find_channel)) {}

Async<Result<OutboxReport>> OutboxSender::send_due(WallTime now) {
  Pass pass;
  pass.now = now;
  while (!pass.store_error) {
    auto read = co_await read_batch(pass);
    if (!read) co_return std::move(read.error()).during("read the outbox");
    if (*read == 0) break;
    if (!pass.todo.empty()) co_await work_in_parallel(pass);
  }
  for (const Delivery& left : pass.todo) in_hand_.put_down(left.id);
  if (pass.store_error) co_return std::move(*pass.store_error).during("write the outbox");
  for (const DeliveryId& id : pass.elsewhere)
    while (in_hand_.is_in_hand(id)) co_await in_hand_.wait_for_change();
  co_return std::move(pass.report);
}

// How many messages it brought that were not seen before. A postponed message is due later than
// now, so that each batch brings others; `seen` guards against a store that says otherwise.
Async<Result<std::size_t>> OutboxSender::read_batch(Pass& pass) {
  const auto reading = in_hand_.begin_reading();
  auto due = co_await store_.due_deliveries(pass.now, kBatch + pass.elsewhere.size());
  std::size_t fresh = 0;
  if (due) {
    for (Delivery& delivery : *due) {
      if (!pass.seen.insert(delivery.id).second) continue;
      ++fresh;
      if (in_hand_.take(reading, delivery.id))
        pass.todo.push_back(std::move(delivery));
      else
        pass.elsewhere.push_back(delivery.id);
    }
  }
  in_hand_.end_reading(reading);
  if (!due) co_return std::move(due.error());
  co_return fresh;
}

Async<void> OutboxSender::work_in_parallel(Pass& pass) {
  const auto loop = co_await asio::this_coro::executor;
  const auto begin = [&] { return asio::co_spawn(loop, work(pass), asio::deferred); };
  std::vector<decltype(begin())> workers;
  const std::size_t count = std::min(kParallel, pass.todo.size());
  for (std::size_t i = 0; i < count; ++i) workers.push_back(begin());
  auto group = asio::experimental::make_parallel_group(std::move(workers));
  const auto [order, failures] =
      co_await group.async_wait(asio::experimental::wait_for_all(), asio::use_awaitable);
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

Async<void> OutboxSender::work(Pass& pass) {
  while (!pass.todo.empty() && !pass.store_error) {
    Delivery delivery = std::move(pass.todo.front());
    pass.todo.pop_front();
    const DeliveryId id = delivery.id;
    auto kept = co_await handle(pass, std::move(delivery));
    in_hand_.put_down(id);
    if (!kept) pass.store_error = std::move(kept.error());
  }
}

Async<Status> OutboxSender::handle(Pass& pass, Delivery delivery) {
  auto outcome = co_await try_once(delivery);
  if (outcome.result == SendResult::delivered) {
    ++pass.report.sent;
    co_return co_await store_.delivered(delivery.id, pass.now);
  }
  co_return co_await keep_failure(pass, std::move(delivery), std::move(outcome));
}

Async<SendOutcome> OutboxSender::try_channel(Delivery delivery) {
  const ChannelRule* channel = find_channel_ ? find_channel_(delivery.channel) : nullptr;
  if (channel == nullptr || channel->kind != delivery.kind)
    co_return SendOutcome{SendResult::try_again, "the channel is not configured any more"};
  WebhookRule webhook = channel->webhook;
  co_return co_await sender_.send(std::move(delivery), std::move(webhook));
}

Async<SendOutcome> OutboxSender::try_once(Delivery delivery) {
  if (!delivery.channel.empty()) co_return co_await try_channel(std::move(delivery));
  const Job* job = find_job_(delivery.job);
  WebhookRule webhook;
  if (job != nullptr) webhook = job->webhook;
  const bool needs_job = delivery.kind == DeliveryKind::webhook;
  if (needs_job && job == nullptr)
    co_return SendOutcome{SendResult::try_again, "the job is not configured any more"};
  co_return co_await sender_.send(std::move(delivery), std::move(webhook));
}

Async<Status> OutboxSender::keep_failure(Pass& pass, Delivery delivery, SendOutcome outcome) {
  const std::string whose =
      delivery.channel.empty() ? delivery.job.text : "channel " + delivery.channel;
  const std::string line =
      fmt::format("{}: {} {}: {}", whose, to_text(delivery.kind), delivery.id.text, outcome.error);
  log_.warn(line);
  auto& errors = pass.report.errors;
  std::string short_line = whose + ": " + outcome.error;
  if (errors.size() < kKeptErrors &&
      std::find(errors.begin(), errors.end(), short_line) == errors.end())
    errors.push_back(std::move(short_line));

  std::optional<WallTime> due;
  if (outcome.result == SendResult::try_again)
    due = next_attempt({delivery.created_at, delivery.attempts + 1, outcome.retry_after}, pass.now);
  if (due) {
    ++pass.report.waiting;
    co_return co_await store_.postpone_delivery(delivery.id, *due, std::move(outcome.error));
  }
  ++pass.report.dead;
  co_return co_await store_.bury_delivery(delivery.id, pass.now, std::move(outcome.error));
}

}  // namespace heddle::hub
