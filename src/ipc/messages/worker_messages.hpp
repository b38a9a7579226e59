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
#include "ipc/frame.hpp"
#include "ipc/pack.hpp"
#include "model/page_report.hpp"
#include "model/run.hpp"

namespace heddle::ipc {

enum class WorkerMessage : std::uint16_t {
  // A worker's questions; each is answered with a Result.
  lease_tasks = 32,  // LeaseTasks -> TaskBatch
  commit,            // PageResult -> CommitReceipt
  postpone,          // TaskRetry -> Done
  bury,              // TaskDeath -> Done
  enter_host,        // EnterHost -> Done, when it is its turn
  // A worker's notices.
  leave_host = 48,
  slow_down_host,
  keep_host_apart,
  page_news,
  run_ended,
  log_line,
  // A coordinator's notices.
  start_run = 64,
  stop_run,
};

struct LeaseTasks {
  RunId run;
  std::uint64_t max = 0;
  WallTime now{};
};

struct EnterHost {
  std::string host;
};

// Gives back what the answer to the question of this number granted.
struct LeaveHost {
  std::uint32_t grant = 0;
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
  not_begun,       // `problem` says why
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
};

struct StopRun {
  RunId run;
};

void pack(Packer& to, const LeaseTasks& value);
void unpack(Unpacker& from, LeaseTasks& value);
void pack(Packer& to, const EnterHost& value);
void unpack(Unpacker& from, EnterHost& value);
void pack(Packer& to, const LeaveHost& value);
void unpack(Unpacker& from, LeaveHost& value);
void pack(Packer& to, const SlowDownHost& value);
void unpack(Unpacker& from, SlowDownHost& value);
void pack(Packer& to, const KeepHostApart& value);
void unpack(Unpacker& from, KeepHostApart& value);
void pack(Packer& to, const PageNews& value);
void unpack(Unpacker& from, PageNews& value);
void pack(Packer& to, const RunEnded& value);
void unpack(Unpacker& from, RunEnded& value);
void pack(Packer& to, const LogLine& value);
void unpack(Unpacker& from, LogLine& value);
void pack(Packer& to, const StartRun& value);
void unpack(Unpacker& from, StartRun& value);
void pack(Packer& to, const StopRun& value);
void unpack(Unpacker& from, StopRun& value);

}  // namespace heddle::ipc
