// Runs, tasks and what becomes of them: the values that store, queue and pipeline exchange.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.hpp"
#include "base/ids.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "model/delivery.hpp"
#include "model/item.hpp"
#include "model/trace.hpp"

namespace heddle {

enum class RunState {
  queued,
  starting,
  in_progress,
  paused,
  completed,
  failed,
  stopped,
  cancelled,
  limited,
};
std::string_view to_text(RunState state);
std::optional<RunState> run_state_from(std::string_view text);
bool is_terminal(RunState state);

enum class TaskState { pending, processing, retry, done, skipped, dead };
std::string_view to_text(TaskState state);
std::optional<TaskState> task_state_from(std::string_view text);

struct PageCounts {
  std::int64_t total = 0;
  std::int64_t done = 0;  // includes unchanged pages
  std::int64_t failed = 0;
  std::int64_t skipped = 0;
};

struct ItemCounts {
  std::int64_t seen = 0;
  std::int64_t fresh = 0;  // "new" in JSON
  std::int64_t changed = 0;
};

// Why a page or a run did not do what it should. `kind` is a stable word for machines.
struct RunError {
  std::string
      kind;  // a FetchErrorKind, "too_complex", "too_large", "robots", "bad_url", "store", …
  std::string message;
  std::string url;  // empty: the run itself
};

// The store could not take what was found: it is out for a while, or for good ("store").
inline constexpr std::string_view kStoreUnavailable = "store_unavailable";
RunError store_error(Error error);

struct Run {
  RunId id;
  JobId job;
  RunState state = RunState::queued;
  std::string trigger;  // "manual", "time", …
  int attempt = 1;
  std::string revision;  // of the configuration it ran with
  WallTime started_at{};
  std::optional<WallTime> ended_at;
  PageCounts pages;
  ItemCounts items;
  std::vector<RunError> errors;  // at most kKeptRunErrors
  std::int64_t bytes = 0;        // transferred
};
inline constexpr std::size_t kKeptRunErrors = 100;

// One page of a run.
struct Task {
  RunId run;
  TaskNumber number = 0;
  std::string url;
  int attempt = 1;  // 1 for the first try
};

// The right to work on a task. A commit with an older token than the task's newest is refused.
struct Lease {
  Task task;
  FencingToken token = 0;
};

// Tasks handed out, and what is left of the run.
struct TaskBatch {
  std::vector<Lease> leases;
  std::optional<WallTime> next_due;  // when a waiting retry becomes ready
  std::int64_t unfinished = 0;  // tasks of the run neither done, skipped nor dead; leases included
};

// What is remembered of a page between runs.
struct PageMemory {
  std::string etag;
  std::string last_modified;
  Hash128 body_hash;   // of the bytes as fetched
  Hash128 text_hash;   // of the readable text and the items' keys: a new version when it changes
  Hash128 rules_hash;  // of everything in the job's configuration that decides what is extracted
  std::int64_t item_count = 0;
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

// Everything one page brought, stored in one transaction together with the end of its task.
struct PageResult {
  Lease lease;
  JobId job;
  TaskState outcome = TaskState::done;  // done or skipped
  std::string final_url;
  WallTime fetched_at{};
  int http_status = 0;
  std::int64_t bytes = 0;

  bool unchanged = false;  // nothing below was computed: only touch the page
  PageMemory memory;
  std::vector<Hash128> keys;  // of all items on the page, in page order
  std::vector<KeyedItem> new_items;
  std::optional<Snapshot> snapshot;  // a new version of the page
  std::vector<Delivery> deliveries;
  std::int64_t items_seen = 0;
  CycleTrace trace;
};

// What a commit did; the same answer when it is repeated.
struct CommitReceipt {
  std::int64_t new_items = 0;
  bool repeated = false;  // this very commit had been made before
};

// A try that failed and is worth another one.
struct TaskRetry {
  Lease lease;
  RunError error;
  WallTime due_at{};
  CycleTrace trace;
  WallTime at{};  // when it failed
};

// A page given up; becomes a dead letter when it was transient or broken, not when refused.
struct TaskDeath {
  Lease lease;
  JobId job;
  RunError error;
  WallTime at{};
  bool keep_letter = true;
  CycleTrace trace;
};

}  // namespace heddle
