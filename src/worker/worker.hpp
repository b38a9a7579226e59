// Worker executes the runs that the coordinator assigns to this process. One event loop; its parts
// outlive it, and it must outlive its runs: see idle().
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "base/async.hpp"
#include "base/result.hpp"
#include "base/wake_signal.hpp"
#include "ipc/rpc_peer.hpp"
#include "ipc/worker_messages.hpp"
#include "worker/page_runner.hpp"
#include "worker/remote_gate.hpp"
#include "worker/worker_context.hpp"

namespace heddle::worker {

struct WorkerParts {
  ipc::RpcPeer& coordinator;
  RemoteGate& gate;
  WorkerContext& context;
  // Returns the job as configured now; an error when its version differs.
  std::function<Result<Job>(const JobId&, const std::string& version)> find_job;
  std::function<std::unique_ptr<queue::TaskQueue>(const RunId&, const Job&)> make_queue;
  // For jobs with `debug = true`.
  std::function<void(const Job&, const Task&, const pipeline::Artefacts&)> keep_artefacts;
  // Called before a run starts: cached data of the job id may be of a deleted job.
  std::function<Async<Status>(const JobId&)> refresh_job{};
};

class Worker {
 public:
  Worker(boost::asio::any_io_executor loop, WorkerParts parts);

  // Handles a message from the coordinator; an error when it is invalid.
  Status handle(const ipc::Frame& frame);

  // Pages in flight finish, no new pages or runs start.
  void drain();

  // Returns when no run is active.
  Async<void> idle();

 private:
  // Why pages are left: for another worker, or because the run ends.
  enum class EarlyEnd { interrupt, stop };
  struct ActiveRun {
    PageRunner* runner = nullptr;  // set while pages are processed
    std::optional<EarlyEnd> early_end;
  };

  void start(ipc::StartRun request);
  static void end_early(ActiveRun& run, EarlyEnd how);
  Async<void> execute_run(ipc::StartRun request);
  Async<Result<ExecutionResult>> process_run(const ipc::StartRun& request);
  Async<ExecutionResult> run_pages(const ipc::StartRun& request, pipeline::JobSession& session);
  static ExecutionResult result_of(const PagesReport& report, std::optional<EarlyEnd> early_end);
  PageRunnerOptions options_for(const ipc::StartRun& request, const Job& job);
  void save_cookies(pipeline::JobSession& session);

  boost::asio::any_io_executor loop_;
  WorkerParts parts_;
  std::unordered_map<RunId, ActiveRun> runs_;
  WakeSignal run_ended_;
  bool is_draining_ = false;
};

}  // namespace heddle::worker
