// Outbox sends stored messages through the engine's HTTP client.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/log/log.hpp"
#include "base/time.hpp"
#include "hub/outbox/outbox_sender.hpp"
#include "model/job/job.hpp"
#include "net/client.hpp"
#include "store/reader.hpp"
#include "store/store.hpp"

namespace heddle::app {

struct DeliveryReport {
  store::OutboxCounts messages{};     // of one job
  std::vector<std::string> errors{};  // from the send report
};

// Everything passed by reference outlives it. One event loop.
class Outbox {
 public:
  // Returns the current client, which is held while a message is sent.
  using FindClient = std::function<std::shared_ptr<net::Client>()>;

  Outbox(store::Store& store, FindClient client, const Project& project, const Clock& clock,
         Log& log);
  ~Outbox();

  // Starts one attempt for every message that is due; waits for none.
  Async<Status> begin_due();

  // After a run: makes one attempt for every message that is due. Waits for those of the job, or
  // for all when the process exits afterwards. Failed messages stay queued.
  enum class Await { of_the_job, all };
  Async<DeliveryReport> deliver_after_run(JobId job, Await awaited);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace heddle::app
