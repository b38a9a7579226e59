// Empties the outbox: takes what is due from the store, sends it, and writes down what came of it.
// At least once: a crash between sending and writing down sends again, with the same id.
// One event loop; outlives every send_due() it started.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/log.hpp"
#include "base/result.hpp"
#include "hub/deliveries_in_hand.hpp"
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

class OutboxSender {
 public:
  static constexpr std::size_t kKeptErrors = 20;
  static constexpr std::size_t kParallel = 8;
  static constexpr std::size_t kBatch = 64;

  // nullptr: no such job is configured any more. The job must live until the call returns.
  using FindJob = std::function<const Job*(const JobId&)>;

  // The same for channels of the project.
  using FindChannel = std::function<const ChannelRule*(const std::string&)>;

  OutboxSender(store::Store& store, notify::Sender& sender, FindJob find_job, Log& log,
               FindChannel find_channel = nullptr);

  // One pass: tries every message once that is due at `now`, a few at a time; for those that
  // another pass has in hand it waits. Fails only when the store does; what was sent until then
  // stays sent.
  Async<Result<OutboxReport>> send_due(WallTime now);

 private:
  struct Pass;
  Async<Result<std::size_t>> read_batch(Pass& pass);
  Async<void> work_in_parallel(Pass& pass);
  Async<void> work(Pass& pass);
  Async<Status> handle(Pass& pass, Delivery delivery);
  Async<notify::SendOutcome> try_once(Delivery delivery);
  Async<notify::SendOutcome> try_channel(Delivery delivery);
  Async<Status> keep_failure(Pass& pass, Delivery delivery, notify::SendOutcome outcome);

  store::Store& store_;
  notify::Sender& sender_;
  FindJob find_job_;
  Log& log_;
  FindChannel find_channel_;
  DeliveriesInHand in_hand_;
};

}  // namespace heddle::hub
