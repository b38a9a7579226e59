// The outbox of this process: stored messages, sent through the engine's own HTTP client.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/log.hpp"
#include "base/time.hpp"
#include "hub/outbox_sender.hpp"
#include "model/job.hpp"
#include "net/client.hpp"
#include "store/reader.hpp"
#include "store/store.hpp"

namespace heddle::app {

struct Told {
  store::OutboxCounts messages{};     // of one job
  std::vector<std::string> errors{};  // as in the report
};

// Everything it is given outlives it. One event loop.
class Outbox {
 public:
  // The client of the moment; it is held while a message is sent.
  using FindClient = std::function<std::shared_ptr<net::Client>()>;

  Outbox(store::Store& store, FindClient client, const Project& project, const Clock& clock,
         Log& log);
  ~Outbox();

  // One attempt for every message that is due.
  Async<Result<hub::OutboxReport>> send_due();

  // The same when a run has ended; what is left waits for the next time.
  Async<Told> tell_about(const JobId& job);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace heddle::app
