// What working through pages takes from the store: tasks, what is known already, and keeping what
// was found.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/hash.hpp"
#include "base/ids.hpp"
#include "base/result.hpp"
#include "model/page_result.hpp"

namespace heddle::store {

struct KnownQuery {
  JobId job;
  std::vector<Hash128> keys;       // of items
  std::optional<Hash128> content;  // of a page body
};

struct KnownAnswer {
  std::vector<bool> keys;  // as asked: true when an item with this key was stored for this job
  bool content = false;    // true when the body is kept already
};

// Every method is one transaction and durable when it returns, and may be called from coroutines on
// any executor; it resumes there. Writes that arrive together share one disk sync. A failed call
// changed nothing and may be repeated. What is not stored (an unknown run, task or delivery) is
// answered with `not_found`. A call that was begun is not cancelled: it ends soon, with its true
// answer, or is dropped together with its event loop.
class PageStore {
 public:
  virtual ~PageStore() = default;

  // Leases up to `max` tasks that are pending, or retries that are due, lowest number first. Each
  // lease has a higher token than any before it on that task. `conflict` when the run has ended.
  virtual Async<Result<TaskBatch>> lease_tasks(RunId run, std::size_t max, WallTime now) = 0;

  // All that one page brought, and its task done. The same (run, task, token) again changes nothing
  // and answers with the same receipt; an older token or an ended run is refused with `conflict`.
  // An item whose key the job already has is not stored again. `not_found` when an unchanged page
  // is not remembered, or when a snapshot without a body is not kept (any more).
  virtual Async<Result<CommitReceipt>> commit(PageResult page) = 0;

  // The task waits for its next try; with `conflict` and repetitions as in commit.
  virtual Async<Status> postpone(TaskRetry retry) = 0;

  // The task is given up; with `conflict` and repetitions as in commit.
  virtual Async<Status> bury(TaskDeath death) = 0;

  // Adds to what the run has cost so far: for work that no page's outcome comes after. `conflict`
  // when the run has ended.
  virtual Async<Status> charge(RunId run, PageCost cost) = 0;

  // What is remembered of a page of a job; nullopt when it was never stored.
  virtual Async<Result<std::optional<PageMemory>>> recall_page(JobId job, std::string url) = 0;

  // The body of a page's newest version, decompressed; nullopt when none is kept.
  virtual Async<Result<std::optional<std::string>>> newest_body(JobId job, std::string url) = 0;

  virtual Async<Result<KnownAnswer>> what_is_known(KnownQuery query) = 0;
};

}  // namespace heddle::store
