// The work of one worker process: runs that its coordinator gives it, each on the jobs loaded here.
// One event loop; everything it is given outlives it, and it outlives its runs: see idle().
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "base/async.hpp"
#include "base/doorbell.hpp"
#include "base/result.hpp"
#include "ipc/caller.hpp"
#include "ipc/messages/worker_messages.hpp"
#include "worker/page_runner.hpp"
#include "worker/remote_gate.hpp"
#include "worker/workshop.hpp"

namespace heddle::worker {

struct WorkerParts {
  ipc::Caller& coordinator;
  RemoteGate& gate;
  Workshop& shop;
  // The job as it is configured now; an error when it is not that revision.
  std::function<Result<Job>(const JobId&, const std::string& revision)> find_job;
  std::function<std::unique_ptr<queue::TaskQueue>(const RunId&, const Job&)> make_queue;
  // For jobs with `debug = true`.
  std::function<void(const Job&, const Task&, const pipeline::Artefacts&)> keep_artefacts;
  // Called before a run begins: what was known of the job by its id may be of one that is gone.
  std::function<Async<Status>(const JobId&)> look_up_anew{};
};

class Worker {
 public:
  Worker(boost::asio::any_io_executor loop, WorkerParts parts);

  // What the coordinator says; an error when it makes no sense.
  Status handle(const ipc::Frame& frame);

  // Pages in flight finish, no new ones begin, and no new run.
  void drain();

  // Returns when no run is under way.
  Async<void> idle();

 private:
  struct RunUnderWay {
    PageRunner* runner = nullptr;  // once it works
    std::optional<ipc::RunEnd> early_end;
  };

  void start(ipc::StartRun order);
  static void end_early(RunUnderWay& run, ipc::RunEnd how);
  Async<void> work_on(ipc::StartRun order);
  Async<Status> work_through(const ipc::StartRun& order, ipc::RunEnded& ended);
  Async<void> run_pages(const ipc::StartRun& order, pipeline::JobState& state,
                        ipc::RunEnded& ended);
  PageRunnerOptions options_for(const ipc::StartRun& order, const Job& job);
  void save_cookies(pipeline::JobState& state);

  boost::asio::any_io_executor loop_;
  WorkerParts parts_;
  std::unordered_map<RunId, RunUnderWay> runs_;
  Doorbell run_over_;
  bool is_draining_ = false;
};

}  // namespace heddle::worker
