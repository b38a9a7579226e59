// RemoteStore is the store of a worker process: reads the database file, writes through the
// coordinator and waits for its acknowledgement. One event loop.
#pragma once

#include <memory>

#include "ipc/rpc_peer.hpp"
#include "store/page_queries.hpp"

namespace heddle::worker {

// Peer and views outlive it. Without a coordinator every write is `unavailable`.
class RemoteStore final : public store::PageStore {
 public:
  RemoteStore(ipc::RpcPeer& coordinator, store::PageQueries& views)
      : coordinator_(coordinator), views_(views) {}

  Async<Result<TaskBatch>> lease_tasks(RunId run, std::size_t max, WallTime now) override;
  Async<Result<CommitReceipt>> commit(PageResult page) override;
  Async<Status> postpone(TaskRetry retry) override;
  Async<Status> dead_letter(TaskDeath death) override;
  Async<Status> charge(RunId run, PageCost cost) override;
  Async<Result<std::optional<PageMemory>>> recall_page(JobId job, std::string url) override;
  Async<Result<std::optional<std::string>>> newest_body(JobId job, std::string url) override;
  Async<Result<store::KnownAnswer>> find_known(store::KnownQuery query) override;

 private:
  ipc::RpcPeer& coordinator_;
  store::PageQueries& views_;
};

}  // namespace heddle::worker
