// The persistent status of a job: its state, its check state and its plans. Plain values.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ids.hpp"
#include "base/time.hpp"
#include "model/notify/delivery.hpp"
#include "model/run/run.hpp"

namespace heddle {

enum class JobState {
  created,
  scheduled,
  starting,
  running,
  paused,
  completed,
  failed,
  stopping,
  stopped,
  archived,
};
inline constexpr std::array kAllJobStates{
    JobState::created, JobState::scheduled, JobState::starting, JobState::running,
    JobState::paused,  JobState::completed, JobState::failed,   JobState::stopping,
    JobState::stopped, JobState::archived};
std::string_view to_text(JobState state);
std::optional<JobState> job_state_from(std::string_view text);

enum class PauseReason { user, missing, storage_full, quarantined, quota };
std::string_view to_text(PauseReason reason);
std::optional<PauseReason> pause_reason_from(std::string_view text);

// The health of a job over its last runs.
enum class CheckState {
  pending,
  ok,
  failing,
  blocked,
  login_required,
  selector_broken,
  limited,
  warning,  // the pages are stored, but [expect] names something else
  quarantined,
};
inline constexpr std::array kAllCheckStates{CheckState::pending,        CheckState::ok,
                                            CheckState::failing,        CheckState::blocked,
                                            CheckState::login_required, CheckState::selector_broken,
                                            CheckState::limited,        CheckState::warning,
                                            CheckState::quarantined};
std::string_view to_text(CheckState state);
std::optional<CheckState> check_state_from(std::string_view text);

// A requested run that waits for a run slot or for the end of the previous run.
struct QueuedRun {
  RunTrigger trigger = RunTrigger::manual;
  WallTime since{};  // when it was due
  bool operator==(const QueuedRun&) const = default;
};

struct JobStatus {
  JobId job;
  JobState state = JobState::created;
  WallTime since{};                         // when it entered this state
  std::optional<PauseReason> pause_reason;  // while paused
  std::optional<RunId> run;                 // the unfinished run
  std::optional<WallTime> next_run_at;
  std::optional<WallTime> handled_until;  // every tick up to here was run or dropped
  std::optional<QueuedRun> queued_run;
  std::optional<RunId> unpropagated_run;  // ended, but its dependents may not be triggered yet
  CheckState check = CheckState::pending;
  int failed_runs = 0;   // in a row; those that completed with suspicious pages, too
  int attempt = 0;       // consecutive retries of the whole run
  std::string revision;  // of the configuration when the state was written
  bool operator==(const JobStatus&) const = default;
};

// An event of a job, stored with an increasing id.
struct JobEvent {
  std::string kind;  // "job.paused", "check.failing", …
  WallTime at{};
  std::optional<RunId> run{};
  std::vector<std::pair<std::string, std::string>> data{};
};

// A state transition of a job, committed in one transaction before anything acts on it.
struct JobChange {
  std::optional<JobState> from;  // nullopt: the job must be new
  JobStatus now;
  std::vector<JobEvent> events;
  std::vector<Delivery> deliveries{};  // messages stored in the same transaction
};

}  // namespace heddle
