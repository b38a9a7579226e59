#include "model/job/job_status.hpp"

#include "model/names.hpp"

namespace heddle {

namespace {

constexpr NameTable<JobState, 10> kJobStates{{{JobState::created, "created"},
                                              {JobState::scheduled, "scheduled"},
                                              {JobState::starting, "starting"},
                                              {JobState::running, "running"},
                                              {JobState::paused, "paused"},
                                              {JobState::completed, "completed"},
                                              {JobState::failed, "failed"},
                                              {JobState::stopping, "stopping"},
                                              {JobState::stopped, "stopped"},
                                              {JobState::archived, "archived"}}};

constexpr NameTable<PauseReason, 5> kPauseReasons{{{PauseReason::user, "user"},
                                                   {PauseReason::missing, "missing"},
                                                   {PauseReason::storage_full, "storage_full"},
                                                   {PauseReason::quarantined, "quarantined"},
                                                   {PauseReason::quota, "quota"}}};

constexpr NameTable<CheckState, 9> kCheckStates{{{CheckState::pending, "pending"},
                                                 {CheckState::ok, "ok"},
                                                 {CheckState::failing, "failing"},
                                                 {CheckState::blocked, "blocked"},
                                                 {CheckState::login_required, "login_required"},
                                                 {CheckState::selector_broken, "selector_broken"},
                                                 {CheckState::limited, "limited"},
                                                 {CheckState::warning, "warning"},
                                                 {CheckState::quarantined, "quarantined"}}};

}  // namespace

std::string_view to_text(JobState state) {
  return name_of(kJobStates, state);
}
std::optional<JobState> job_state_from(std::string_view text) {
  return value_of(kJobStates, text);
}

std::string_view to_text(PauseReason reason) {
  return name_of(kPauseReasons, reason);
}
std::optional<PauseReason> pause_reason_from(std::string_view text) {
  return value_of(kPauseReasons, text);
}

std::string_view to_text(CheckState state) {
  return name_of(kCheckStates, state);
}
std::optional<CheckState> check_state_from(std::string_view text) {
  return value_of(kCheckStates, text);
}

}  // namespace heddle
