#include "hub/outbox_sender.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/this_coro.hpp>
#include <fmt/format.h>

#include "base/rethrow_bug.hpp"
#include "hub/delivery_schedule.hpp"
#include "model/url.hpp"

namespace heddle::hub {

namespace asio = boost::asio;
using notify::SendOutcome;
using notify::SendResult;

// Shared by those who wait for it and its messages, which may outlast them.
struct OutboxSender::Pass {
  WallTime now{};                // what is due then
  std::optional<JobId> of;       // waits for no other job's messages
  bool ends_afterwards = false;  // nobody sends anything then
  std::unordered_set<DeliveryId> seen;
  std::vector<DeliveryId> awaited;
  OutboxReport report;
  std::optional<Error> store_error;  // nothing is sent any more that could not be written down
};

OutboxSender::OutboxSender(OutboxSenderParts parts) : parts_(std::move(parts)) {}

Async<Result<OutboxReport>> OutboxSender::send_due(std::optional<JobId> of) {
  const auto pass = std::make_shared<Pass>();
  pass->now = parts_.clock.now();
  pass->of = std::move(of);
  pass->ends_afterwards = !pass->of;
  while (true) {
    auto taken = co_await take_due(pass);
    if (!taken) co_return std::move(taken).error();
    if (pass->store_error || lanes_.size() < kMostInHand) break;
    while (lanes_.size() > kMostInHand / 2) co_await in_hand_.wait_for_change();
  }
  const Deadline deadline =
      pass->of ? std::chrono::steady_clock::now() + kPatience : Deadline::max();
  const auto is_awaited = [this, deadline](const DeliveryId& id) {
    return in_hand_.is_in_hand(id) && std::chrono::steady_clock::now() < deadline;
  };
  for (const DeliveryId& id : pass->awaited)
    while (is_awaited(id)) co_await in_hand_.wait_for_change(deadline);
  if (pass->store_error) co_return std::move(*pass->store_error).during("write the outbox");
  co_return pass->report;
}

Async<Status> OutboxSender::begin_due() {
  const auto pass = std::make_shared<Pass>();
  pass->now = parts_.clock.now();
  auto taken = co_await take_due(pass);
  if (!taken) co_return taken;
  if (auto failure = std::exchange(store_error_, std::nullopt))
    co_return std::move(*failure).during("write the outbox");
  co_return Done{};
}

// Until there is nothing that is not in hand, or enough is.
Async<Status> OutboxSender::take_due(std::shared_ptr<Pass> pass) {
  while (!pass->store_error && lanes_.size() < kMostInHand) {
    auto read = co_await read_batch(pass);
    if (!read) co_return std::move(read.error()).during("read the outbox");
    if (*read == 0) break;
    co_await begin_waiting();
  }
  co_return Done{};
}

// How many messages it brought that were not seen before. A postponed message is due later than
// now, so that each batch brings others; `seen` guards against a store that says otherwise.
Async<Result<std::size_t>> OutboxSender::read_batch(const std::shared_ptr<Pass>& pass) {
  const auto reading = in_hand_.begin_reading();
  // What is in hand is read again; twice as many, for few readings to get past a long lane.
  const std::size_t most = kBatch + std::min(2 * lanes_.size(), kMostInHand);
  auto due = co_await parts_.store.due_deliveries(pass->now, most);
  std::size_t fresh = 0;
  if (due) {
    for (Delivery& delivery : *due) {
      if (!pass->seen.insert(delivery.id).second) continue;
      ++fresh;
      if (!pass->of || *pass->of == delivery.job) pass->awaited.push_back(delivery.id);
      if (!in_hand_.take(reading, delivery.id)) continue;
      const std::string lane = receiver_of(delivery);
      lanes_.add(lane, {std::move(delivery), pass});
    }
  }
  in_hand_.end_reading(reading);
  if (!due) co_return std::move(due.error());
  co_return fresh;
}

Async<void> OutboxSender::begin_waiting() {
  const auto loop = co_await asio::this_coro::executor;
  while (auto begun = lanes_.begin_next())
    asio::co_spawn(loop, work(std::move(begun->first), std::move(begun->second)), rethrow_bug);
}

Async<void> OutboxSender::work(std::string lane, Errand errand) {
  const DeliveryId id = errand.delivery.id;
  const WallTime begun = parts_.clock.now();
  auto kept = co_await handle(*errand.pass, std::move(errand.delivery));
  const bool is_silent = kept && !*kept && parts_.clock.now() - begun >= kNoAnswer;
  if (is_silent && errand.pass->ends_afterwards) leave_rest(lane, *errand.pass);
  lanes_.end(lane);
  if (!kept) {
    errand.pass->store_error = kept.error();
    stop_for(kept.error());
  }
  in_hand_.put_down(id);
  co_await begin_waiting();
}

void OutboxSender::stop_for(const Error& failure) {
  store_error_ = failure;
  for (Errand& errand : lanes_.give_up_waiting()) {
    errand.pass->store_error = failure;
    in_hand_.put_down(errand.delivery.id);
  }
}

// What waits for a receiver that does not answer stays due.
void OutboxSender::leave_rest(const std::string& lane, Pass& pass) {
  std::size_t left = 0;
  for (Errand& errand : lanes_.give_up_waiting(lane)) {
    in_hand_.put_down(errand.delivery.id);
    ++left;
  }
  if (left == 0) return;
  pass.report.errors.push_back(fmt::format(
      "{} more message{} for {} {}: the next run or daemon sends {}", left, left == 1 ? "" : "s",
      lane, left == 1 ? "waits" : "wait", left == 1 ? "it" : "them"));
}

// Whether it was delivered.
Async<Result<bool>> OutboxSender::handle(Pass& pass, Delivery delivery) {
  Delivery tried = delivery;
  auto outcome = co_await try_once(std::move(tried));
  const bool is_delivered = outcome.result == SendResult::delivered;
  Status kept = Done{};
  if (is_delivered) {
    ++pass.report.sent;
    kept = co_await parts_.store.delivered(delivery.id, parts_.clock.now());
  } else {
    kept = co_await keep_failure(pass, std::move(delivery), std::move(outcome));
  }
  if (!kept) co_return std::move(kept).error();
  co_return is_delivered;
}

// nullptr: what it would be sent by is not configured any more.
const WebhookRule* OutboxSender::webhook_of(const Delivery& delivery) const {
  if (!delivery.channel.empty()) {
    const ChannelRule* channel =
        parts_.find_channel ? parts_.find_channel(delivery.channel) : nullptr;
    const bool is_same = channel != nullptr && channel->kind == delivery.kind;
    return is_same ? &channel->webhook : nullptr;
  }
  const Job* job = parts_.find_job(delivery.job);
  return job != nullptr ? &job->webhook : nullptr;
}

// Jobs and channels may share one.
std::string OutboxSender::receiver_of(const Delivery& delivery) const {
  if (delivery.kind != DeliveryKind::webhook) return std::string(to_text(delivery.kind));
  const WebhookRule* webhook = webhook_of(delivery);
  const auto url = Url::parse(webhook != nullptr ? webhook->url : "");
  if (url) return url->origin();
  return delivery.channel.empty() ? "job " + delivery.job.text : "channel " + delivery.channel;
}

Async<SendOutcome> OutboxSender::try_once(Delivery delivery) {
  const WebhookRule* found = webhook_of(delivery);
  const bool is_of_channel = !delivery.channel.empty();
  if (found == nullptr && (is_of_channel || delivery.kind == DeliveryKind::webhook))
    co_return SendOutcome{SendResult::try_again, is_of_channel
                                                     ? "the channel is not configured any more"
                                                     : "the job is not configured any more"};
  WebhookRule webhook;
  if (found != nullptr) webhook = *found;
  co_return co_await parts_.sender.send(std::move(delivery), std::move(webhook));
}

Async<Status> OutboxSender::keep_failure(Pass& pass, Delivery delivery, SendOutcome outcome) {
  const std::string whose =
      delivery.channel.empty() ? delivery.job.text : "channel " + delivery.channel;
  const std::string line =
      fmt::format("{}: {} {}: {}", whose, to_text(delivery.kind), delivery.id.text, outcome.error);
  parts_.log.warn(line);
  auto& errors = pass.report.errors;
  std::string short_line = whose + ": " + outcome.error;
  if (errors.size() < kKeptErrors &&
      std::find(errors.begin(), errors.end(), short_line) == errors.end())
    errors.push_back(std::move(short_line));

  // From the answer on: it may have come long after the pass began.
  const WallTime now = parts_.clock.now();
  std::optional<WallTime> due;
  if (outcome.result == SendResult::try_again)
    due = next_attempt({delivery.created_at, delivery.attempts + 1, outcome.retry_after}, now);
  if (due) {
    ++pass.report.waiting;
    co_return co_await parts_.store.postpone_delivery(delivery.id, *due, std::move(outcome.error));
  }
  ++pass.report.dead;
  co_return co_await parts_.store.bury_delivery(delivery.id, now, std::move(outcome.error));
}

}  // namespace heddle::hub
