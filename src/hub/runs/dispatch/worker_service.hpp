// WorkerService serves one worker process: answers its requests for tasks and pages and holds its
// host grants. Ends with the process. Single event loop.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>

#include "base/async.hpp"
#include "base/log/log.hpp"
#include "base/result.hpp"
#include "base/wake_signal.hpp"
#include "hub/runs/dispatch/active_runs.hpp"
#include "ipc/channel.hpp"
#include "net/hosts/host_gate.hpp"
#include "store/store.hpp"

namespace heddle::hub {

// Everything in it outlives the services.
struct WorkerServiceParts {
  store::Store& store;
  net::HostGate& gate;
  ActiveRuns& runs;
  Log& log;
  std::function<void(const JobId&)> on_page_done;
  // The task entered this state.
  std::function<void(const RunId&, TaskState)> on_task = [](const RunId&, TaskState) {};
  std::optional<int> slot_number{};  // shown to users
};

class WorkerService : public std::enable_shared_from_this<WorkerService> {
 public:
  WorkerService(boost::asio::any_io_executor loop, WorkerServiceParts parts,
                supervise::SlotRef worker, std::shared_ptr<ipc::Channel> channel)
      : loop_(std::move(loop)),
        parts_(std::move(parts)),
        worker_(worker),
        channel_(std::move(channel)) {}

  // Handles one frame of the worker. Waits while too many of its requests are pending. `corrupt`:
  // the frame is invalid, and the worker must be ended.
  Async<Status> handle(ipc::Frame frame);

  // The process is gone: answers nothing more and releases its host grants.
  void end();

 private:
  struct HostRequest;

  Status handle_notification(const ipc::Frame& frame);
  Status handle_request(const ipc::Frame& frame);
  template <class Question, class Answer>
  Status begin(const ipc::Frame& frame, Async<Result<Answer>> (WorkerService::*find)(Question));
  template <class Answer>
  Async<void> answer(std::uint16_t type, std::uint32_t number, Async<Result<Answer>> found);
  Async<Result<TaskBatch>> lease(ipc::LeaseTasks wanted);
  Async<Result<CommitReceipt>> commit(PageResult page);
  Async<Status> postpone(TaskRetry retry);
  Async<Status> dead_letter(TaskDeath death);
  Async<Status> charge(ipc::RunCharge charge);
  void request_host(std::uint64_t number, std::string host);
  void release_host(std::uint64_t number);
  void release(const std::shared_ptr<HostRequest>& request);
  Async<void> wait_for_host(std::uint64_t number, std::shared_ptr<HostRequest> request,
                            std::string host);
  void run_ended(ipc::RunEnded ended);

  boost::asio::any_io_executor loop_;
  WorkerServiceParts parts_;
  supervise::SlotRef worker_;
  std::shared_ptr<ipc::Channel> channel_;
  std::unordered_map<std::uint64_t, std::shared_ptr<HostRequest>> host_requests_;
  std::size_t pending_ = 0;
  WakeSignal answer_sent_;
  bool has_ended_ = false;
};

}  // namespace heddle::hub
