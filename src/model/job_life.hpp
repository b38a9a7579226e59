// Where a job stands in its life, and how it does: what is kept of a job besides its configuration.
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
#include "model/delivery.hpp"

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

// How a job does, over its last runs.
enum class CheckState {
  pending,
  ok,
  failing,
  blocked,
  login_required,
  selector_broken,
  limited,
  quarantined,
};
inline constexpr std::array kAllCheckStates{CheckState::pending,        CheckState::ok,
                                            CheckState::failing,        CheckState::blocked,
                                            CheckState::login_required, CheckState::selector_broken,
                                            CheckState::limited,        CheckState::quarantined};
std::string_view to_text(CheckState state);
std::optional<CheckState> check_state_from(std::string_view text);

// A run that is wanted, but has no place or must wait for the end of the former one.
struct WaitingRun {
  std::string trigger;  // of that run
  WallTime since{};     // when it should have begun
  bool operator==(const WaitingRun&) const = default;
};

struct JobLife {
  JobId job;
  JobState state = JobState::created;
  WallTime since{};                         // when it came into this state
  std::optional<PauseReason> pause_reason;  // while paused
  std::optional<RunId> run;                 // that has not ended
  std::optional<WallTime> next_run_at;
  std::optional<WallTime> handled_until;  // up to here every tick was run or dropped
  std::optional<WaitingRun> waiting;
  std::optional<RunId> untold;  // has ended, and the jobs that follow may not know it yet
  CheckState check = CheckState::pending;
  int failed_runs = 0;   // in a row
  int attempt = 0;       // runs tried again as a whole since the last one that was not
  std::string revision;  // of the configuration when the state was written
  bool operator==(const JobLife&) const = default;
};

// What becomes known of a job besides its new state; kept with an increasing id.
struct JobEvent {
  std::string kind;  // "job.paused", "check.failing", …
  WallTime at{};
  std::optional<RunId> run{};
  std::vector<std::pair<std::string, std::string>> data{};
};

// A step in a job's life: written in one piece, before anything acts on it.
struct JobChange {
  std::optional<JobState> from;  // nullopt: the job must be new
  JobLife now;
  std::vector<JobEvent> events;
  std::vector<Delivery> deliveries{};  // messages that are stored with it
};

}  // namespace heddle
