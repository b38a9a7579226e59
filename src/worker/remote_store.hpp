// The store as a worker process has it: reads the file itself, writes through its coordinator and
// goes on only when that has said what became of it. One event loop.
#pragma once

#include <memory>

#include "ipc/caller.hpp"
#include "store/page_views.hpp"

namespace heddle::worker {

// Caller and views outlive it. When the coordinator is gone everything is `unavailable`.
class RemoteStore final : public store::PageStore {
 public:
  RemoteStore(ipc::Caller& coordinator, store::PageViews& views)
      : coordinator_(coordinator), views_(views) {}

  Async<Result<TaskBatch>> lease_tasks(RunId run, std::size_t max, WallTime now) override;
  Async<Result<CommitReceipt>> commit(PageResult page) override;
  Async<Status> postpone(TaskRetry retry) override;
  Async<Status> bury(TaskDeath death) override;
  Async<Status> charge(RunId run, PageCost cost) override;
  Async<Result<std::optional<PageMemory>>> recall_page(JobId job, std::string url) override;
  Async<Result<std::optional<std::string>>> newest_body(JobId job, std::string url) override;
  Async<Result<store::KnownAnswer>> what_is_known(store::KnownQuery query) override;

 private:
  ipc::Caller& coordinator_;
  store::PageViews& views_;
};

}  // namespace heddle::worker
