// The results of one page of a run: extracted data, a retry, or a failure. Plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/hash.hpp"
#include "base/ids.hpp"
#include "base/time.hpp"
#include "model/notify/delivery.hpp"
#include "model/run/change.hpp"
#include "model/run/item.hpp"
#include "model/run/run.hpp"
#include "model/run/trace.hpp"

namespace heddle {

// State of a page that is kept between runs, to detect changes.
struct PageMemory {
  std::string etag;
  std::string last_modified;
  Hash128 body_hash;   // of the bytes as fetched
  Hash128 text_hash;   // of the readable text and the items' keys: a new version when it changes
  Hash128 rules_hash;  // of everything in the job's configuration that decides what is extracted
  std::int64_t item_count = 0;
  // Which keys have matched under these rules (pages::merge_key_matches()); nullopt: unknown.
  std::optional<std::string> key_matches{};
  RunError finding{};  // what is wrong with the page, without its URL
  // Of the job's selector, fields and key. Items that differ only since these were edited have not
  // changed.
  Hash128 fields_hash{};
};

// A body to keep; `compressed` is filled only when the store does not have the content yet.
struct Snapshot {
  Hash128 content_hash;
  std::size_t size = 0;      // uncompressed
  std::string compressed{};  // zstd; empty: the store already has it
};

struct KeyedItem {
  Hash128 key;
  Item item;
};

// A page that another one links to and that joins the run.
struct FoundPage {
  std::string url;
  Hash128 visit;  // of the URL's normal form: one visit per run
  int depth = 0;
  bool is_baseline = false;  // see Task
};

// The result of one page, committed in one transaction together with the end of its task.
struct PageResult {
  Lease lease;
  JobId job;
  TaskState outcome = TaskState::done;  // done, skipped, or dead with a failure
  // What is wrong although the rest below is stored: with a dead page, why it failed.
  RunError problem{};
  std::string final_url;
  WallTime fetched_at{};
  int http_status = 0;
  std::int64_t bytes = 0;

  bool unchanged = false;  // nothing below was computed: only touch the page
  PageMemory memory;
  std::vector<Hash128> keys;       // of all items on the page, in page order
  bool lists_newest_only = false;  // a feed: items that leave it are not gone
  std::vector<KeyedItem> new_items;
  std::vector<ItemUpdate> updates{};        // of items that the job follows by their key
  std::vector<FieldChange> text_changes{};  // since the kept version of the page
  // Of such a job: how many readings of a page without an item make it count as gone. 0: none.
  int gone_after = 0;
  std::optional<Snapshot> snapshot;  // a new version of the page
  std::vector<Delivery> deliveries;
  std::int64_t items_seen = 0;
  std::optional<std::int64_t> price_changes{};  // nullopt: prices were not compared
  std::vector<FoundPage> found{};  // also of an unchanged page; those the run has are no news
  CycleTrace trace;
  PageCost cost{};
};

// The effect of a commit; repeating the commit gives the same receipt.
struct CommitReceipt {
  std::int64_t new_items = 0;
  std::int64_t changed_items = 0;
  bool repeated = false;         // the commit had been made before
  std::int64_t found_pages = 0;  // that joined the run; 0 when repeated
};

// A failed attempt that will be retried.
struct TaskRetry {
  Lease lease;
  RunError error;
  WallTime due_at{};
  CycleTrace trace;
  WallTime at{};  // when it failed
  PageCost cost{};
};

// A page that is not retried. It becomes a dead letter when it was transient or broken, not when it
// was refused.
struct TaskDeath {
  Lease lease;
  JobId job;
  RunError error;
  WallTime at{};
  bool keep_dead_letter = true;
  CycleTrace trace;
  PageCost cost{};
};

}  // namespace heddle
