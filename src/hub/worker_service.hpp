// What the coordinator does for one worker process: answers its questions about tasks and pages,
// and keeps its places at the host gate. Ends with the process. One event loop.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>

#include "base/async.hpp"
#include "base/doorbell.hpp"
#include "base/log.hpp"
#include "base/result.hpp"
#include "hub/active_runs.hpp"
#include "ipc/channel.hpp"
#include "net/host_gate.hpp"
#include "store/store.hpp"

namespace heddle::hub {

// Everything in it outlives the services.
struct ServiceParts {
  store::Store& store;
  net::HostGate& gate;
  ActiveRuns& runs;
  Log& log;
  std::function<void(const JobId&)> on_page_done;
  std::function<void(const RunId&, TaskState)> on_task{};  // came into this state; may be empty
  std::optional<int> slot_number{};                        // of the worker, as people know it
};

class WorkerService : public std::enable_shared_from_this<WorkerService> {
 public:
  WorkerService(boost::asio::any_io_executor loop, ServiceParts parts, supervise::SlotRef worker,
                std::shared_ptr<ipc::Channel> channel);
  ~WorkerService();
  WorkerService(const WorkerService&) = delete;
  WorkerService& operator=(const WorkerService&) = delete;

  // One frame of the worker. Waits while too many of its questions are unanswered. `corrupt` when
  // it makes no sense: then the worker must not go on.
  Async<Status> handle(ipc::Frame frame);

  // The process is gone: nothing is answered any more, and its places at the gate are given back.
  void end();

 private:
  struct Wish;

  Status take_notice(const ipc::Frame& frame);
  Status take_question(const ipc::Frame& frame);
  template <class Question, class Answer>
  Status begin(const ipc::Frame& frame, Async<Result<Answer>> (WorkerService::*find)(Question));
  template <class Answer>
  Async<void> answer(std::uint16_t type, std::uint32_t number, Async<Result<Answer>> found);
  Async<Result<TaskBatch>> lease(ipc::LeaseTasks wanted);
  Async<Result<CommitReceipt>> commit(PageResult page);
  Async<Status> postpone(TaskRetry retry);
  Async<Status> bury(TaskDeath death);
  Async<Status> charge(ipc::RunCharge charge);
  void want_host(std::uint64_t number, std::string host);
  void leave_host(std::uint64_t number);
  void let_go(const std::shared_ptr<Wish>& wish);
  Async<void> wait_at_gate(std::uint64_t number, std::shared_ptr<Wish> wish, std::string host);
  void run_ended(ipc::RunEnded ended);
  void note_task(const RunId& run, TaskState state) const;

  boost::asio::any_io_executor loop_;
  ServiceParts parts_;
  supervise::SlotRef worker_;
  std::shared_ptr<ipc::Channel> channel_;
  std::unordered_map<std::uint64_t, std::shared_ptr<Wish>> wishes_;
  std::size_t unanswered_ = 0;
  Doorbell answered_;
  bool has_ended_ = false;
};

}  // namespace heddle::hub
