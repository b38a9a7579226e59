// Outbox sends stored messages through the coordinator's HTTP client.
#pragma once

#include "app/daemon/coordinator_runtime.hpp"
#include "base/async.hpp"
#include "base/log/log.hpp"
#include "control/verbs.hpp"
#include "hub/outbox/outbox_sender.hpp"
#include "model/job/job.hpp"

namespace heddle::app {

// Everything passed by reference outlives it. One event loop.
class Outbox {
 public:
  Outbox(CoordinatorRuntime& coordinator, const Project& project, Log& log);

  // Starts one attempt for every message that is due; waits for none.
  Async<Status> begin_due() { return outbox_.begin_due(); }

  // After a run: makes one attempt for every message that is due. Waits for those of the job, or
  // for all when the process exits afterwards. Failed messages stay queued.
  enum class Await { of_the_job, all };
  Async<control::FollowedRun> deliver_after_run(ExecutionResult finished, Await awaited);

 private:
  // Deliveries may also use the addresses of [network] allow_delivery.
  class ClientPoster final : public notify::HttpPoster {
   public:
    explicit ClientPoster(CoordinatorRuntime& coordinator) : coordinator_(coordinator) {}
    Async<notify::PostOutcome> post(FetchRequest request) override;

   private:
    CoordinatorRuntime& coordinator_;
  };

  ClientPoster poster_;
  notify::Desktop desktop_;
  notify::Sender sender_;
  hub::OutboxSender outbox_;
  store::Store& store_;
  Log& log_;
};

}  // namespace heddle::app
