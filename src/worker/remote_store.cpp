#include "worker/remote_store.hpp"

#include <utility>

#include "worker/call_coordinator.hpp"

namespace heddle::worker {

using ipc::WorkerMessage;

Async<Result<TaskBatch>> RemoteStore::lease_tasks(RunId run, std::size_t max, WallTime now) {
  const ipc::LeaseTasks wanted{std::move(run), max, now};
  ipc::Frame request = ipc::to_frame(WorkerMessage::lease_tasks, wanted);
  co_return co_await call<TaskBatch>(coordinator_, std::move(request));
}

Async<Result<CommitReceipt>> RemoteStore::commit(PageResult page) {
  ipc::Frame request = ipc::to_frame(WorkerMessage::commit, page);
  auto receipt = co_await call<CommitReceipt>(coordinator_, std::move(request));
  if (receipt) views_.remember(page, *receipt);
  co_return receipt;
}

Async<Status> RemoteStore::postpone(TaskRetry retry) {
  ipc::Frame request = ipc::to_frame(WorkerMessage::postpone, retry);
  co_return co_await call<Done>(coordinator_, std::move(request));
}

Async<Status> RemoteStore::dead_letter(TaskDeath death) {
  ipc::Frame request = ipc::to_frame(WorkerMessage::dead_letter, death);
  co_return co_await call<Done>(coordinator_, std::move(request));
}

Async<Status> RemoteStore::charge(RunId run, PageCost cost) {
  const ipc::RunCharge charge{std::move(run), cost};
  ipc::Frame request = ipc::to_frame(WorkerMessage::charge, charge);
  co_return co_await call<Done>(coordinator_, std::move(request));
}

Async<Result<std::optional<PageMemory>>> RemoteStore::recall_page(JobId job, std::string url) {
  return views_.recall_page(std::move(job), std::move(url));
}

Async<Result<std::optional<std::string>>> RemoteStore::newest_body(JobId job, std::string url) {
  return views_.newest_body(std::move(job), std::move(url));
}

Async<Result<store::KnownAnswer>> RemoteStore::find_known(store::KnownQuery query) {
  return views_.find_known(std::move(query));
}

}  // namespace heddle::worker
