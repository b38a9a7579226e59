// Messages between CLI commands and the running daemon over the control socket. Plain values.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "model/run/page_report.hpp"
#include "model/run/run.hpp"

namespace heddle::ipc {

enum class ControlMessage : std::uint16_t {
  // Requests.
  get_status = 1,       // Done -> DaemonStatus
  restart_worker,       // RestartWorker -> Done
  run_job,              // RunJob -> FollowedRun, when it has ended; notifications before
  act_on_jobs,          // ActOnJobs -> vector<JobActionResult>
  reload,               // Reload -> ReloadReport
  act_on_dead_letters,  // ActOnDeadLetters -> DeadLettersDone
  get_metrics,          // Done -> MetricsText
  // Notifications from a command.
  cancel_run = 32,  // the run it follows
  // Notifications from the daemon to the command that follows a run.
  run_begun = 64,  // Run
  page,            // PageReport
};

struct WorkerStatus {
  std::string name;
  std::int32_t number = 0;
  std::int64_t pid = 0;  // 0: no process
  std::uint32_t occurrence = 0;
  std::string state;
  std::chrono::milliseconds uptime{0};
  std::int64_t rss_bytes = 0;
  std::uint64_t restarts_in_window = 0;
  std::vector<std::string> jobs;  // ids of jobs whose runs are assigned to it
  std::string working_on;         // the job that is computing now; empty: none or unknown
  std::string last_event;         // empty: none
  WallTime last_event_at{};
  std::string last_event_detail;
};

struct DaemonStatus {
  std::int64_t pid = 0;
  std::string version;
  std::chrono::milliseconds uptime{0};
  std::uint64_t jobs = 0;
  std::uint64_t runs_under_way = 0;
  std::chrono::microseconds loop_latency{0};  // maximum of the last minute
  std::int64_t database_bytes = 0;
  std::int64_t storage_used = 0;   // by all files of the project
  std::int64_t storage_limit = 0;  // 0: unknown
  std::string storage_level;       // "fine", "warning", "full"
  std::vector<WorkerStatus> workers;
};

struct MetricsText {
  std::string text;  // Prometheus exposition format
};

struct RestartWorker {
  std::int32_t number = 0;
};

struct RunJob {
  std::string job;                           // id
  std::string revision;                      // as the command has read it
  std::vector<std::int64_t> dead_letters{};  // retry only these; empty: all pages
  bool follow_pages = true;                  // report each page, not only the run
};

enum class DeadLetterAction : std::uint8_t { resend, purge };

struct ActOnDeadLetters {
  DeadLetterAction action = DeadLetterAction::resend;
  std::vector<std::int64_t> dead_letters;
};

struct DeadLettersDone {
  std::int64_t count = 0;
};

// Applies one action to all jobs; each gets its own JobActionResult.
struct ActOnJobs {
  std::string action;
  std::vector<std::string> jobs;  // ids
  bool force = false;             // of a stop: do not wait for pages in flight
};

struct JobActionResult {
  std::string job;
  std::string state;     // after the action
  std::string error;     // empty: success
  std::string remark{};  // additional note; may be empty
};

struct Reload {
  bool dry_run = false;  // report the changes without applying them
};

// One key of heddle.toml, with its values as TOML.
struct ChangedSetting {
  std::string key;
  std::string before;
  std::string after;
  bool needs_restart = false;  // takes effect when the daemon is restarted
};

// Differences between the files and what the daemon has loaded. Job ids.
struct ReloadReport {
  std::vector<std::string> added;
  std::vector<std::string> changed;
  std::vector<std::string> removed;
  std::vector<std::string> broken;  // keep their previous version; one text each, with the error
  std::vector<ChangedSetting> settings;
};

struct FollowedRun {
  Run run;
  StageCosts costs;
  std::int64_t messages_waiting = 0;
  std::int64_t messages_sent = 0;
  std::int64_t messages_dead = 0;
  std::vector<std::string> message_errors;
  bool is_interrupted = false;  // the daemon shuts down; the next one resumes the run
};

}  // namespace heddle::ipc
