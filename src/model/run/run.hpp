// Runs, tasks and leases, as store, queue and pipeline exchange them. Plain values.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "model/run/error_kind.hpp"

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

// What started a run. One over the pages of dead letters does not affect its job's check state.
enum class RunTrigger { manual, time, retry, after, restart, resume, dead_letter };
std::string_view to_text(RunTrigger trigger);
std::optional<RunTrigger> run_trigger_from(std::string_view text);

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
  std::int64_t gone = 0;  // no longer on their page
};

// Why a page or a run failed.
struct RunError {
  ErrorKind kind = ErrorKind::none;
  std::string message;
  std::string url;  // empty: the run itself
};

RunError store_error(Error error);

struct Run {
  RunId id;
  JobId job;
  RunState state = RunState::queued;
  RunTrigger trigger = RunTrigger::manual;
  int attempt = 1;
  std::string revision;  // of the configuration it ran with
  WallTime started_at{};
  std::optional<WallTime> ended_at;
  PageCounts pages;
  ItemCounts items;
  std::vector<RunError> errors;        // at most kKeptRunErrors
  std::int64_t bytes = 0;              // transferred
  std::chrono::microseconds cpu{0};    // computed by workers
  std::int64_t peak_memory_bytes = 0;  // largest resident size of a process that worked on it
  std::vector<int> slots{};            // the worker slots that worked on it, in order of arrival
  std::int64_t changes = 0;            // pages that differ from their previous version
  std::optional<std::int64_t> price_changes{};  // nullopt: prices were not compared
  std::int64_t suspicious_pages = 0;            // with an error of kSuspiciousKinds
  // How many pages it may have, those included that its pages find; 0: they find none.
  std::int64_t most_pages = 0;
};
inline constexpr std::size_t kKeptRunErrors = 100;

// The cost of processing a page, reported together with its result.
struct PageCost {
  // CPU time of the run since the last report: parsing, scripts, comparing, compressing.
  std::chrono::microseconds cpu{0};
  // The worker slot. Set by the coordinator, which does not trust a worker to name it.
  std::optional<int> slot{};
  std::int64_t memory_bytes = 0;  // resident size of the worker process at the end of the page
};

// One page of a run.
struct Task {
  RunId run;
  TaskNumber number = 0;
  std::string url;
  int attempt = 1;             // 1 for the first attempt
  int depth = 0;               // links from a page that the job lists; next pages do not count
  bool is_discovered = false;  // found by another page of the run, not listed by the job
  // Found in the first reading of the page that found it: as little news as that one.
  bool is_baseline = false;
};

// The right to work on a task. A commit with an older token than the task's latest is refused.
struct Lease {
  Task task;
  FencingToken token = 0;
};

// Leased tasks, and the rest of the run.
struct TaskBatch {
  std::vector<Lease> leases;
  std::optional<WallTime> next_due;  // when a waiting retry becomes ready
  std::int64_t unfinished = 0;  // tasks of the run neither done, skipped nor dead; leases included
};

}  // namespace heddle
