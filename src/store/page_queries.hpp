// Answers the read-only queries of PageStore: a worker process reads by itself and writes through
// its coordinator.
#pragma once

#include <optional>
#include <string>

#include "store/page_store.hpp"

namespace heddle::store {

// Sees everything committed before a call.
class PageQueries {
 public:
  virtual ~PageQueries() = default;

  // As in PageStore.
  virtual Async<Result<std::optional<PageMemory>>> recall_page(JobId job, std::string url) = 0;
  virtual Async<Result<std::optional<std::string>>> newest_body(JobId job, std::string url) = 0;
  virtual Async<Result<KnownAnswer>> find_known(KnownQuery query) = 0;

  // Drops what is cached of the job before a run begins: the job may have been deleted and
  // recreated with the same id.
  virtual Async<Status> refresh_job(JobId job) = 0;

  // Caches the keys of a durable commit, so that later queries need not read the database.
  virtual void remember(const PageResult& committed, const CommitReceipt& receipt) = 0;
};

}  // namespace heddle::store
