// What a coordinator and its workers say to each other, besides the frames of supervision (types
// below 16). Plain values.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "base/log.hpp"
#include "base/time.hpp"
#include "model/page_cost.hpp"
#include "model/page_report.hpp"
#include "model/run.hpp"

namespace heddle::ipc {

enum class WorkerMessage : std::uint16_t {
  // A worker's questions; each is answered with a Result.
  lease_tasks = 32,  // LeaseTasks -> TaskBatch
  commit,            // PageResult -> CommitReceipt
  postpone,          // TaskRetry -> Done
  bury,              // TaskDeath -> Done
  charge,            // RunCharge -> Done
  // A worker's notices.
  want_host = 48,
  leave_host,
  slow_down_host,
  keep_host_apart,
  page_news,
  run_ended,
  log_line,
  // A coordinator's notices.
  start_run = 64,
  stop_run,
  host_granted,
};

struct LeaseTasks {
  RunId run;
  std::uint64_t max = 0;
  WallTime now{};
};

// What a run cost besides its pages.
struct RunCharge {
  RunId run;
  PageCost cost;
};

// The worker numbers its wishes. Each ends with LeaveHost, granted or not.
struct WantHost {
  std::uint64_t wish = 0;
  std::string host;
};

struct HostGranted {
  std::uint64_t wish = 0;
};

struct LeaveHost {
  std::uint64_t wish = 0;
};

struct SlowDownHost {
  std::string host;
  std::chrono::milliseconds time{0};
};

struct KeepHostApart {
  std::string host;
  std::chrono::milliseconds delay{0};
};

struct PageNews {
  RunId run;
  PageReport page;
};

enum class RunEnd : std::uint8_t {
  worked_through,  // no task is left
  interrupted,     // pages are left for whoever goes on with the run
  stopped,         // pages are left, nobody will go on
  not_begun,       // `problem` says why
  unreadable,      // the job cannot be read, as `problem` says: somebody may be editing it
  not_loaded,      // neither can its script, and no former version of it is known here
};

struct RunEnded {
  RunId run;
  RunEnd end = RunEnd::worked_through;
  PagesReport report;
  RunError problem;
};

struct LogLine {
  LogLevel level = LogLevel::info;
  std::string text;
};

struct StartRun {
  RunId run;
  JobId job;
  std::string revision;
  std::chrono::milliseconds time_left{0};
  bool shares_pages = false;  // with another job, which may ask for them at the same time
};

// Pages in flight finish.
struct StopRun {
  RunId run;
  bool is_over = false;  // nobody will go on with it
};

}  // namespace heddle::ipc
