// OutboxSender sends the due messages of the store and records the results. Delivery is at least
// once: after a crash between sending and recording it sends again with the same id. A receiver
// that does not answer delays only its own messages. Single event loop; must outlive everything it
// starts there.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/log/log.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "hub/outbox/delivery_lanes.hpp"
#include "hub/outbox/in_flight_deliveries.hpp"
#include "model/job/job.hpp"
#include "notify/sender.hpp"
#include "store/store.hpp"

namespace heddle::hub {

struct OutboxReport {
  std::size_t sent = 0;
  std::size_t waiting = 0;          // tried in this pass, will be retried
  std::size_t dead = 0;             // given up in this pass: now dead letters
  std::vector<std::string> errors;  // "job: what went wrong", each once, at most kKeptErrors
};

struct OutboxSenderParts {
  store::Store& store;
  notify::Sender& sender;
  const Clock& clock;
  Log& log;
  // nullptr: the job is not configured any more. The job must exist until the call returns.
  std::function<const Job*(const JobId&)> find_job;
  // The same for channels of the project.
  std::function<const ChannelRule*(const std::string&)> find_channel{};
  // Replaces secrets in the reason of a failure, which is stored.
  std::function<std::string(const std::string&)> redact{};
};

// Of waiting between attempts, in elapsed time: a clock that is set and a daemon that is down do
// not count.
inline constexpr std::chrono::hours kDeliveryLifetime{72};

struct FailedDelivery {
  std::chrono::milliseconds waited{0};  // so far
  int attempts = 1;                     // this one included
  std::optional<std::chrono::milliseconds> retry_after{};
};

// The wait before the next attempt: 1 s, 5 s, 30 s, 5 min, 30 min, then an hour; longer when the
// receiver asks for it, with a last attempt at the end of the 72 hours. nullopt: they are over,
// give up.
std::optional<std::chrono::milliseconds> next_attempt(const FailedDelivery& failed);

class OutboxSender {
 public:
  static constexpr std::size_t kKeptErrors = 20;
  static constexpr std::size_t kPerReceiver = 2;  // in flight at a time
  static constexpr std::size_t kParallel = 128;   // the same to all receivers
  static constexpr std::size_t kBatch = 64;
  // A failure after this long counts as no response.
  static constexpr std::chrono::seconds kNoResponse{5};
  // For the messages of a job: slightly more than one of them may take.
  static constexpr std::chrono::seconds kJobTimeout{35};
  // Reads ahead, to find messages for other receivers behind those of a slow one.
  static constexpr std::size_t kMaxInFlight = 4096;

  explicit OutboxSender(OutboxSenderParts parts) : parts_(std::move(parts)) {}

  // One pass: tries every due message once, a few at a time, and waits for those another pass has
  // in flight. With `of`, it waits only for messages of that job; the others continue. It does not
  // wait for every message of a receiver that does not answer: without `of` the rest stays due,
  // with `of` it continues after the return. Fails only when the store does; what was sent until
  // then stays sent.
  Async<Result<OutboxReport>> send_due(std::optional<JobId> of = std::nullopt);

  // Only starts what is due and not in flight. Reports a failure of the store, also one since the
  // last call; a later call retries.
  Async<Status> begin_due();

 private:
  struct Pass;
  struct PendingDelivery {
    Delivery delivery;
    std::shared_ptr<Pass> pass;
  };

  Async<Status> start_due(std::shared_ptr<Pass> pass);
  Async<Result<std::size_t>> read_batch(const std::shared_ptr<Pass>& pass);
  Async<void> start_waiting();
  Async<void> send(std::string lane, PendingDelivery pending);
  void stop_sending(const Error& failure);
  void leave_due(const std::string& lane, Pass& pass);
  Async<Result<bool>> deliver(Pass& pass, Delivery delivery);
  Async<notify::SendOutcome> try_once(Delivery delivery);
  Async<Status> record_failure(Pass& pass, Delivery delivery, notify::SendOutcome outcome);
  [[nodiscard]] const WebhookRule* webhook_of(const Delivery& delivery) const;
  [[nodiscard]] std::string receiver_of(const Delivery& delivery) const;

  OutboxSenderParts parts_;
  InFlightDeliveries in_flight_;
  DeliveryLanes<PendingDelivery> lanes_{{kPerReceiver, kParallel}};
  std::optional<Error> store_error_;  // not reported yet
};

}  // namespace heddle::hub
