// Empties the outbox: takes what is due from the store, sends it, and writes down what came of it.
// At least once: a crash between sending and writing down sends again, with the same id. A receiver
// that does not answer holds up its own messages only.
// One event loop; outlives everything it began there.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/log.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "hub/deliveries_in_hand.hpp"
#include "hub/delivery_lanes.hpp"
#include "model/job.hpp"
#include "notify/sender.hpp"
#include "store/store.hpp"

namespace heddle::hub {

struct OutboxReport {
  std::size_t sent = 0;
  std::size_t waiting = 0;          // tried in this pass, will be tried again
  std::size_t dead = 0;             // given up in this pass: dead letters now
  std::vector<std::string> errors;  // "job: what went wrong", each once, at most kKeptErrors
};

struct OutboxSenderParts {
  store::Store& store;
  notify::Sender& sender;
  const Clock& clock;
  Log& log;
  // nullptr: no such job is configured any more. The job must live until the call returns.
  std::function<const Job*(const JobId&)> find_job;
  // The same for channels of the project.
  std::function<const ChannelRule*(const std::string&)> find_channel{};
};

class OutboxSender {
 public:
  static constexpr std::size_t kKeptErrors = 20;
  static constexpr std::size_t kPerReceiver = 2;  // under way at a time
  static constexpr std::size_t kParallel = 128;   // the same to all receivers
  static constexpr std::size_t kBatch = 64;
  // What failed after so long was not answered.
  static constexpr std::chrono::seconds kNoAnswer{5};
  // For the messages of a job: a little more than one of them may take.
  static constexpr std::chrono::seconds kPatience{35};
  // Read ahead, for other receivers' messages to be found behind those of one that is slow.
  static constexpr std::size_t kMostInHand = 4096;

  explicit OutboxSender(OutboxSenderParts parts);

  // One pass: tries every message once that is due, a few at a time; for those that another pass
  // has in hand it waits. With `of`, it waits only for messages of that job; the others go on.
  // A receiver that does not answer is not waited for once for each of its messages: without `of`
  // the others of its messages stay due, with `of` they go on while this returns.
  // Fails only when the store does; what was sent until then stays sent.
  Async<Result<OutboxReport>> send_due(std::optional<JobId> of = std::nullopt);

  // Only begins with what is due and is not begun yet. A failure of the store, also one since the
  // last call, is told; what it concerns is tried at a later call.
  Async<Status> begin_due();

 private:
  struct Pass;
  struct Errand {
    Delivery delivery;
    std::shared_ptr<Pass> pass;
  };

  Async<Status> take_due(std::shared_ptr<Pass> pass);
  Async<Result<std::size_t>> read_batch(const std::shared_ptr<Pass>& pass);
  Async<void> begin_waiting();
  Async<void> work(std::string lane, Errand errand);
  void stop_for(const Error& failure);
  void leave_rest(const std::string& lane, Pass& pass);
  Async<Result<bool>> handle(Pass& pass, Delivery delivery);
  Async<notify::SendOutcome> try_once(Delivery delivery);
  Async<Status> keep_failure(Pass& pass, Delivery delivery, notify::SendOutcome outcome);
  [[nodiscard]] const WebhookRule* webhook_of(const Delivery& delivery) const;
  [[nodiscard]] std::string receiver_of(const Delivery& delivery) const;

  OutboxSenderParts parts_;
  DeliveriesInHand in_hand_;
  DeliveryLanes<Errand> lanes_{{kPerReceiver, kParallel}};
  std::optional<Error> store_error_;  // not told yet
};

}  // namespace heddle::hub
