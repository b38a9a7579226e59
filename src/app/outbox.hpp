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

  // Begins with one attempt for every message that is due; waits for none.
  Async<Status> begin_due();

  // When a run has ended: one attempt for every message that is due. Waits for those of the job, or
  // for all when the program ends after it. What is left waits for the next time.
  enum class Await { of_the_job, all };
  Async<Told> tell_about(JobId job, Await awaited);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace heddle::app
