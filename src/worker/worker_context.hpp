// WorkerContext owns what the cycles of jobs need on one event loop: HTTP client, robots, parser,
// scripts and loaded jobs. Its parts outlive it.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "base/async.hpp"
#include "base/log/log.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "model/job/job.hpp"
#include "net/hosts/host_gate.hpp"
#include "pipeline/services.hpp"
#include "store/page_store.hpp"
#include "worker/job_loader.hpp"

namespace heddle::worker {

struct WorkerContextParts {
  const Project& project;
  store::PageStore& store;
  net::HostGate& gate;
  const Clock& clock;
  Log& log;
  std::filesystem::path engine_file;  // data/heddle.db, read by scripts
  std::function<Async<bool>(script::NotifyWant)> notify;
};

class WorkerContext {
 public:
  static Result<std::unique_ptr<WorkerContext>> make(boost::asio::any_io_executor loop,
                                                     WorkerContextParts parts);
  ~WorkerContext();
  WorkerContext(const WorkerContext&) = delete;
  WorkerContext& operator=(const WorkerContext&) = delete;

  [[nodiscard]] const pipeline::CycleServices& services() const;
  [[nodiscard]] JobLoader& jobs();
  [[nodiscard]] net::Client& client();
  [[nodiscard]] pipeline::LoopActivity& activity();
  // Waits for the detached work of scripts; false at the deadline. Call after the last cycle.
  Async<bool> finish_detached_work(Deadline deadline);

 private:
  struct Tools;
  explicit WorkerContext(std::unique_ptr<Tools> tools);
  std::unique_ptr<Tools> tools_;
};

}  // namespace heddle::worker
