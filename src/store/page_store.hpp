// Gives the pipeline its tasks, answers what is already stored, and stores the results of pages.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/hash.hpp"
#include "base/ids.hpp"
#include "base/result.hpp"
#include "model/run/page_result.hpp"

namespace heddle::store {

struct KnownQuery {
  JobId job;
  std::vector<Hash128> keys;       // of items
  std::optional<Hash128> content;  // of a page body
  // The page whose items are compared with what is stored; nullopt: only whether they are stored.
  std::optional<std::string> items_for{};
};

// An item as it is stored.
struct StoredItem {
  Item item;
  bool is_gone = false;
  // Another page that lists the item is read as well and follows its changes: pages that show the
  // same item differently are no change.
  bool is_followed_elsewhere = false;
  // The page that followed it no longer lists it; this one did and follows it from now on. That it
  // shows the item differently is no change.
  bool is_taken_over = false;
};

struct KnownAnswer {
  std::vector<bool> keys;  // in query order: an item with this key is stored for this job
  bool content = false;    // the body is stored
  std::vector<std::optional<StoredItem>> items{};  // in query order, if asked for
};

// Every method is one transaction and durable when it returns. It may be called from coroutines on
// any executor and resumes there. Writes that arrive together share one disk sync. A failed call
// has changed nothing and may be repeated. An unknown run, task or delivery is `not_found`. A call
// cannot be cancelled: it ends soon with its true result, or is dropped together with its event
// loop.
class PageStore {
 public:
  virtual ~PageStore() = default;

  // Leases up to `max` pending tasks or due retries, lowest number first. Each lease has a higher
  // token than all earlier ones of its task. `conflict` when the run has ended.
  virtual Async<Result<TaskBatch>> lease_tasks(RunId run, std::size_t max, WallTime now) = 0;

  // Stores the results of one page and ends its task. The same (run, task, token) again changes
  // nothing and returns the same receipt; an older token or an ended run is a `conflict`. An item
  // whose key the job already has is not stored again. Pages that it found join the run, each once,
  // up to Run::most_pages: beyond that the run has an error `limited`. `not_found` when an
  // unchanged page was never stored, or when a snapshot without a body is not stored (any more).
  virtual Async<Result<CommitReceipt>> commit(PageResult page) = 0;

  // Schedules the task's next attempt; `conflict` and repetition as in commit.
  virtual Async<Status> postpone(TaskRetry retry) = 0;

  // Marks the task as dead; `conflict` and repetition as in commit.
  virtual Async<Status> dead_letter(TaskDeath death) = 0;

  // Adds to the cost of the run, for work without a later page result. `conflict` when the run has
  // ended.
  virtual Async<Status> charge(RunId run, PageCost cost) = 0;

  // Returns nullopt for a page that was never stored. Without hashes and validators when the page
  // is to be read although it may not have changed: it lists an item that no other page follows any
  // more.
  virtual Async<Result<std::optional<PageMemory>>> recall_page(JobId job, std::string url) = 0;

  // Returns the decompressed body of the page's newest version; nullopt when none is stored.
  virtual Async<Result<std::optional<std::string>>> newest_body(JobId job, std::string url) = 0;

  virtual Async<Result<KnownAnswer>> find_known(KnownQuery query) = 0;
};

}  // namespace heddle::store
