// All that cycles of jobs need, wired together on one event loop: HTTP client, robots, parser,
// scripts and loaded jobs. Everything it is given outlives it.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "base/async.hpp"
#include "base/log.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "model/job.hpp"
#include "net/host_gate.hpp"
#include "pipeline/services.hpp"
#include "store/page_store.hpp"
#include "worker/job_loader.hpp"

namespace heddle::worker {

struct WorkshopParts {
  const Project& project;
  store::PageStore& store;
  net::HostGate& gate;
  const Clock& clock;
  Log& log;
  std::filesystem::path engine_file;  // data/heddle.db, for what scripts read of it
  std::function<Async<bool>(script::NotifyWant)> notify;
};

class Workshop {
 public:
  static Result<std::unique_ptr<Workshop>> make(boost::asio::any_io_executor loop,
                                                WorkshopParts parts);
  ~Workshop();
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;

  [[nodiscard]] const pipeline::Services& services() const;
  [[nodiscard]] JobLoader& jobs();
  [[nodiscard]] net::Client& client();
  [[nodiscard]] pipeline::LoopShare& share();
  // Returns when nothing is done for scripts any more, or at the deadline: then false. To be called
  // when no cycle is under way and none will be.
  Async<bool> wind_up(Deadline deadline);

 private:
  struct Tools;
  explicit Workshop(std::unique_ptr<Tools> tools);
  std::unique_ptr<Tools> tools_;
};

}  // namespace heddle::worker
