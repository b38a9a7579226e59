// The control verbs: what clients can ask of a running daemon, each defined once. CLI and HTTP API
// call them, the daemon handles them (app/daemon). Plain values.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "ipc/values/generic.hpp"
#include "model/run/page_report.hpp"

namespace heddle::control {

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

struct ShutDown {
  bool now = false;  // do not wait for pages in flight
};

struct RestartWorker {
  std::int32_t number = 0;
};

struct RunJob {
  std::string job;                           // id
  std::string version;                       // Job::version() as the command has read it
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
  std::string state{};                 // after the action, or of a job that refused it
  std::string error{};                 // empty: success
  std::string remark{};                // additional note; may be empty
  std::vector<std::string> allowed{};  // actions that are possible instead, of a refusal
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

// A job whose file has errors.
struct InvalidFile {
  std::string mistake;        // the first error, with file and line
  bool keeps_former = false;  // the daemon has a version from before
};

// For people, after the mistake.
constexpr std::string_view consequence_of(const InvalidFile& file) {
  return file.keeps_former ? " (the job keeps its previous version)"
                           : " (the job was never loaded and does not run)";
}

// Differences between the files and what the daemon has loaded. Job ids.
struct ReloadReport {
  std::vector<std::string> added;
  std::vector<std::string> changed;
  std::vector<std::string> removed;
  std::vector<InvalidFile> broken;
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

// Who may use a verb; each role may do what those before it may.
enum class Role : std::uint8_t { viewer, operate, admin };

inline constexpr std::chrono::milliseconds kNoTimeout{0};

template <class Request, class Response>
struct Verb {
  std::uint16_t number;  // on the wire
  std::string_view name;
  Role least_role;
  std::chrono::milliseconds timeout = std::chrono::seconds(10);  // for the response
};

inline constexpr Verb<Done, DaemonStatus> kStatus{1, "status", Role::viewer};
inline constexpr Verb<RestartWorker, Done> kRestartWorker{2, "restart_worker", Role::operate};
// Answered when the run has ended; kRunBegun and kPageDone are sent before.
inline constexpr Verb<RunJob, FollowedRun> kRunJob{3, "run_job", Role::operate, kNoTimeout};
inline constexpr Verb<ActOnJobs, std::vector<JobActionResult>> kActOnJobs{4, "act_on_jobs",
                                                                          Role::operate};
inline constexpr Verb<Reload, ReloadReport> kReload{5, "reload", Role::admin,
                                                    std::chrono::seconds(70)};
inline constexpr Verb<ActOnDeadLetters, DeadLettersDone> kActOnDeadLetters{6, "act_on_dead_letters",
                                                                           Role::operate};
inline constexpr Verb<Done, MetricsText> kMetrics{7, "metrics", Role::viewer};
inline constexpr Verb<ShutDown, Done> kShutDown{8, "shut_down", Role::admin};

// A message without a response.
template <class Value>
struct Notification {
  std::uint16_t number;
};

inline constexpr Notification<Done> kCancelRun{32};  // from a client: the run it follows
// From the daemon to the client that follows a run.
inline constexpr Notification<Run> kRunBegun{64};
inline constexpr Notification<PageReport> kPageDone{65};

template <class Request, class Response>
ipc::Frame to_frame(const Verb<Request, Response>& verb, const Request& request) {
  return {verb.number, 0, ipc::packed(request)};
}

template <class Value>
ipc::Frame to_frame(const Notification<Value>& notification, const Value& value) {
  return {notification.number, 0, ipc::packed(value)};
}

}  // namespace heddle::control
