// Reading what pages need to know, apart from writing: a worker process reads by itself and writes
// through its coordinator.
#pragma once

#include <optional>
#include <string>

#include "store/page_store.hpp"

namespace heddle::store {

// Sees all that was committed before a question came.
class PageViews {
 public:
  virtual ~PageViews() = default;

  // As in PageStore.
  virtual Async<Result<std::optional<PageMemory>>> recall_page(JobId job, std::string url) = 0;
  virtual Async<Result<std::optional<std::string>>> newest_body(JobId job, std::string url) = 0;
  virtual Async<Result<KnownAnswer>> what_is_known(KnownQuery query) = 0;

  // Before a run begins: a job of this id that was known may have been deleted meanwhile, and this
  // be another one.
  virtual Async<Status> look_up_anew(JobId job) = 0;

  // What is stored for certain from now on need not be looked up: only for what is durable.
  virtual void remember(const PageResult& committed, const CommitReceipt& receipt) = 0;
};

}  // namespace heddle::store
