// Messages between the coordinator and its workers, and how they are packed into frames; types
// below 16 belong to supervise. Plain values.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "base/log/log.hpp"
#include "ipc/values/generic.hpp"
#include "model/run/execution_result.hpp"
#include "model/run/page_result.hpp"

namespace heddle::ipc {

enum class WorkerMessage : std::uint16_t {
  // Requests from a worker; the reply is a Result.
  lease_tasks = 32,  // LeaseTasks -> TaskBatch
  commit,            // PageResult -> CommitReceipt
  postpone,          // TaskRetry -> Done
  dead_letter,       // TaskDeath -> Done
  charge,            // RunCharge -> Done
  // Notifications from a worker.
  acquire_host = 48,
  release_host,
  slow_down_host,
  set_host_delay,
  page_reported,
  run_ended,
  log_line,
  // Notifications from the coordinator.
  start_run = 64,
  stop_run,
  host_granted,
};

struct LeaseTasks {
  RunId run;
  std::uint64_t max = 0;
  WallTime now{};
};

// Cost of a run that belongs to no page.
struct RunCharge {
  RunId run;
  PageCost cost;
};

// The worker numbers its requests. Each ends with ReleaseHost, granted or not.
struct AcquireHost {
  std::uint64_t request = 0;
  std::string host;
};

struct HostGranted {
  std::uint64_t request = 0;
};

struct ReleaseHost {
  std::uint64_t request = 0;
};

struct SlowDownHost {
  std::string host;
  std::chrono::milliseconds time{0};
};

struct SetHostDelay {
  std::string host;
  std::chrono::milliseconds delay{0};
};

struct PageReported {
  RunId run;
  PageReport page;
};

// An interrupted run is reassigned, unless it was halted.
struct RunEnded {
  RunId run;
  ExecutionResult result;
};

struct WorkerLogLine {
  LogLevel level = LogLevel::info;
  std::string text;
  std::string job{};  // empty: none
  bool is_in_job_log = false;
};

struct StartRun {
  RunId run;
  JobId job;
  std::string version;  // Job::version()
  std::chrono::milliseconds time_left{0};
  bool shares_pages = false;  // another job may fetch them at the same time
};

// Ends a run early; pages in flight finish.
struct StopRun {
  RunId run;
  bool is_final = false;  // the run will not be resumed
};

template <class T>
Frame to_frame(WorkerMessage type, const T& value) {
  return Frame{static_cast<std::uint16_t>(type), 0, packed(value)};
}

}  // namespace heddle::ipc
