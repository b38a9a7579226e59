// The outbox of this process: stored messages, sent through the engine's own HTTP client.
#pragma once

#include <memory>

#include "base/async.hpp"
#include "base/log.hpp"
#include "base/time.hpp"
#include "hub/outbox_sender.hpp"
#include "model/job.hpp"
#include "net/client.hpp"
#include "store/store.hpp"

namespace heddle::app {

// Everything it is given outlives it. One event loop.
class Outbox {
 public:
  Outbox(store::Store& store, net::Client& client, const Project& project, const Clock& clock,
         Log& log);
  ~Outbox();

  // One attempt for every message that is due.
  Async<Result<hub::OutboxReport>> send_due();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace heddle::app
