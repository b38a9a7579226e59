#include "hub/outbox/outbox_sender.hpp"

#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/this_coro.hpp>
#include <fmt/format.h>

#include "base/quantity.hpp"
#include "base/rethrow_bug.hpp"
#include "model/web/url.hpp"

namespace heddle::hub {

namespace asio = boost::asio;
using notify::SendOutcome;
using notify::SendResult;

std::optional<std::chrono::milliseconds> next_attempt(const FailedDelivery& failed) {
  using namespace std::chrono_literals;
  constexpr std::array<std::chrono::seconds, 6> kDelays{1s, 5s, 30s, 5min, 30min, 1h};
  const std::chrono::milliseconds left = kDeliveryLifetime - failed.waited;
  if (left <= 0ms) return std::nullopt;
  const auto step = static_cast<std::size_t>(std::max(failed.attempts, 1)) - 1;
  const std::chrono::milliseconds delay = kDelays[std::min(step, kDelays.size() - 1)];
  return std::min(left, std::max(delay, failed.retry_after.value_or(0ms)));
}

// Shared by the caller and the messages of the pass, which may outlast it.
struct OutboxSender::Pass {
  WallTime now{};           // messages due at this time belong to the pass
  std::optional<JobId> of;  // awaits only this job's messages
  bool is_final = false;    // no later pass is certain
  std::unordered_set<DeliveryId> seen;
  std::vector<DeliveryId> awaited;
  OutboxReport report;
  std::optional<Error> store_error;  // stops sending: results could not be recorded
};

Async<Result<OutboxReport>> OutboxSender::send_due(std::optional<JobId> of) {
  const auto pass = std::make_shared<Pass>();
  pass->now = parts_.clock.now();
  pass->of = std::move(of);
  pass->is_final = !pass->of;
  while (true) {
    auto started = co_await start_due(pass);
    if (!started) co_return std::move(started).error();
    if (pass->store_error || lanes_.size() < kMaxInFlight) break;
    while (lanes_.size() > kMaxInFlight / 2) co_await in_flight_.wait_for_change();
  }
  const Deadline deadline =
      pass->of ? std::chrono::steady_clock::now() + kJobTimeout : Deadline::max();
  const auto is_awaited = [this, deadline](const DeliveryId& id) {
    return in_flight_.is_in_flight(id) && std::chrono::steady_clock::now() < deadline;
  };
  for (const DeliveryId& id : pass->awaited)
    while (is_awaited(id)) co_await in_flight_.wait_for_change(deadline);
  if (pass->store_error) co_return std::move(*pass->store_error).during("cannot write the outbox");
  co_return pass->report;
}

Async<Status> OutboxSender::begin_due() {
  const auto pass = std::make_shared<Pass>();
  pass->now = parts_.clock.now();
  auto started = co_await start_due(pass);
  if (!started) co_return started;
  if (auto failure = std::exchange(store_error_, std::nullopt))
    co_return std::move(*failure).during("cannot write the outbox");
  co_return Done{};
}

// Until everything due is in flight, or the limit is reached.
Async<Status> OutboxSender::start_due(std::shared_ptr<Pass> pass) {
  while (!pass->store_error && lanes_.size() < kMaxInFlight) {
    auto read = co_await read_batch(pass);
    if (!read) co_return std::move(read.error()).during("cannot read the outbox");
    if (*read == 0) break;
    co_await start_waiting();
  }
  co_return Done{};
}

// Returns how many messages were new to the pass. A postponed message is due later than now, so
// that each batch brings others; `seen` guards against a store that says otherwise.
Async<Result<std::size_t>> OutboxSender::read_batch(const std::shared_ptr<Pass>& pass) {
  const auto reading = in_flight_.begin_reading();
  // Messages in flight are read again; twice as many, so that few reads get past a long lane.
  const std::size_t limit = kBatch + std::min(2 * lanes_.size(), kMaxInFlight);
  auto due = co_await parts_.store.due_deliveries(pass->now, limit);
  std::size_t fresh = 0;
  if (due) {
    for (Delivery& delivery : *due) {
      if (!pass->seen.insert(delivery.id).second) continue;
      ++fresh;
      if (!pass->of || *pass->of == delivery.job) pass->awaited.push_back(delivery.id);
      if (!in_flight_.claim(reading, delivery.id)) continue;
      const std::string lane = receiver_of(delivery);
      lanes_.add(lane, {std::move(delivery), pass});
    }
  }
  in_flight_.end_reading(reading);
  if (!due) co_return std::move(due.error());
  co_return fresh;
}

Async<void> OutboxSender::start_waiting() {
  const auto loop = co_await asio::this_coro::executor;
  while (auto begun = lanes_.begin_next())
    asio::co_spawn(loop, send(std::move(begun->first), std::move(begun->second)), rethrow_bug);
}

Async<void> OutboxSender::send(std::string lane, PendingDelivery pending) {
  const DeliveryId id = pending.delivery.id;
  const Deadline begun = parts_.clock.steady_now();
  auto recorded = co_await deliver(*pending.pass, std::move(pending.delivery));
  const bool is_silent = recorded && !*recorded && parts_.clock.steady_now() - begun >= kNoResponse;
  if (is_silent && pending.pass->is_final) leave_due(lane, *pending.pass);
  lanes_.end(lane);
  if (!recorded) {
    pending.pass->store_error = recorded.error();
    stop_sending(recorded.error());
  }
  in_flight_.release(id);
  co_await start_waiting();
}

void OutboxSender::stop_sending(const Error& failure) {
  store_error_ = failure;
  for (PendingDelivery& pending : lanes_.remove_waiting()) {
    pending.pass->store_error = failure;
    in_flight_.release(pending.delivery.id);
  }
}

// Messages for a receiver that does not answer stay due.
void OutboxSender::leave_due(const std::string& lane, Pass& pass) {
  std::size_t left = 0;
  for (PendingDelivery& pending : lanes_.remove_waiting(lane)) {
    in_flight_.release(pending.delivery.id);
    ++left;
  }
  if (left == 0) return;
  pass.report.errors.push_back(
      fmt::format("{} for {} {} until the next run, or until the daemon sends {}",
                  counted(left, "more message"), lane, left == 1 ? "waits" : "wait",
                  left == 1 ? "it" : "them"));
}

// Returns whether it was delivered.
Async<Result<bool>> OutboxSender::deliver(Pass& pass, Delivery delivery) {
  auto outcome = co_await try_once(delivery);
  if (parts_.redact) outcome.error = parts_.redact(outcome.error);
  const bool is_delivered = outcome.result == SendResult::delivered;
  Status recorded = Done{};
  if (is_delivered) {
    ++pass.report.sent;
    recorded = co_await parts_.store.delivered(delivery.id, parts_.clock.now());
  } else {
    recorded = co_await record_failure(pass, std::move(delivery), std::move(outcome));
  }
  if (!recorded) co_return std::move(recorded).error();
  co_return is_delivered;
}

// nullptr: its job or channel is not configured any more.
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

// Jobs and channels may share a receiver.
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
                                                     ? "the channel is no longer configured"
                                                     : "the job is no longer configured"};
  WebhookRule webhook;
  if (found != nullptr) webhook = *found;
  co_return co_await parts_.sender.send(std::move(delivery), std::move(webhook));
}

Async<Status> OutboxSender::record_failure(Pass& pass, Delivery delivery, SendOutcome outcome) {
  const std::string whose =
      delivery.channel.empty() ? delivery.job.text : "channel " + delivery.channel;
  const std::string line =
      fmt::format("{}: {} {}: {}", whose, to_text(delivery.kind), delivery.id.text, outcome.error);
  parts_.log.warn(line, {.job = delivery.job.text});
  auto& errors = pass.report.errors;
  std::string short_line = whose + ": " + outcome.error;
  if (errors.size() < kKeptErrors &&
      std::find(errors.begin(), errors.end(), short_line) == errors.end())
    errors.push_back(std::move(short_line));

  // Counted from the response, which may come long after the pass began.
  const WallTime now = parts_.clock.now();
  std::optional<std::chrono::milliseconds> wait;
  if (outcome.result == SendResult::try_again)
    wait = next_attempt({delivery.waited, delivery.attempts + 1, outcome.retry_after});
  if (wait) {
    ++pass.report.waiting;
    const store::DeliveryWait until_next{now, *wait};
    co_return co_await parts_.store.postpone_delivery(delivery.id, until_next,
                                                      std::move(outcome.error));
  }
  ++pass.report.dead;
  co_return co_await parts_.store.dead_letter_delivery(delivery.id, now, std::move(outcome.error));
}

}  // namespace heddle::hub
