// What commands of a person and the running daemon say to each other over the project's control
// socket. Plain values.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "model/page_report.hpp"
#include "model/run.hpp"

namespace heddle::ipc {

enum class ControlMessage : std::uint16_t {
  // Questions.
  get_status = 1,  // Done -> DaemonStatus
  restart_worker,  // RestartWorker -> Done
  run_job,         // RunJob -> FollowedRun, when it has ended; notices on the way
  act_on_jobs,     // ActOnJobs -> vector<JobAnswer>
  reload,          // Reload -> ReloadReport
  act_on_letters,  // ActOnLetters -> LettersDone
  get_metrics,     // Done -> MetricsText
  // A command's notices.
  cancel_run = 32,  // the one it follows
  // The daemon's notices to whoever follows a run.
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
  std::vector<std::string> jobs;  // ids of those whose runs it was given
  std::string working_on;         // which of them this moment; empty: none, or nobody knows
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
  std::chrono::microseconds loop_latency{0};  // the worst of the last minute
  std::int64_t database_bytes = 0;
  std::int64_t storage_used = 0;   // all that the project keeps
  std::int64_t storage_limit = 0;  // 0: not known
  std::string storage_level;       // "fine", "warning", "full"
  std::vector<WorkerStatus> workers;
};

struct MetricsText {
  std::string text;  // as Prometheus reads it
};

struct RestartWorker {
  std::int32_t number = 0;
};

struct RunJob {
  std::string job;                      // its id
  std::string revision;                 // as the asker has read it
  std::vector<std::int64_t> letters{};  // only the pages of these dead letters; none: all pages
  bool follows_pages = true;            // and not only the run
};

enum class LetterAction : std::uint8_t { resend, purge };

struct ActOnLetters {
  LetterAction action = LetterAction::resend;
  std::vector<std::int64_t> letters;
};

struct LettersDone {
  std::int64_t count = 0;
};

// One action for all of them; each has its own answer.
struct ActOnJobs {
  std::string action;
  std::vector<std::string> jobs;  // ids
  bool at_once = false;           // of a stop: pages in flight are not waited for
};

struct JobAnswer {
  std::string job;
  std::string state;     // where it stands then
  std::string error;     // empty: done
  std::string remark{};  // what else is to be said; empty: nothing
};

struct Reload {
  bool is_trial = false;  // only say what would change
};

// One key of heddle.toml, with its values as TOML.
struct ChangedSetting {
  std::string key;
  std::string before;
  std::string after;
  bool at_next_start = false;  // the daemon that runs keeps the former value
};

// What the files say now, compared with what the daemon works with. Ids of jobs.
struct ReloadReport {
  std::vector<std::string> added;
  std::vector<std::string> changed;
  std::vector<std::string> removed;
  std::vector<std::string> broken;  // keep their former version; one text each, with its mistake
  std::vector<ChangedSetting> settings;
};

struct FollowedRun {
  Run run;
  StageCosts costs;
  std::int64_t messages_waiting = 0;
  std::int64_t messages_sent = 0;
  std::int64_t messages_dead = 0;
  std::vector<std::string> message_errors;
  bool is_interrupted = false;  // the daemon is leaving; the next one goes on with the run
};

}  // namespace heddle::ipc
