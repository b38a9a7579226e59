#include "lifecycle/status_edits.hpp"

#include "lifecycle/job_transitions.hpp"

namespace heddle::lifecycle {

namespace {

JobEvent event_of(std::string kind, const QueuedRun& wanted, WallTime now) {
  return {.kind = std::move(kind),
          .at = now,
          .run = {},
          .data = {{"trigger", std::string(to_text(wanted.trigger))}}};
}

}  // namespace

bool can_queue(const JobStatus& status, const QueuedRun& wanted) {
  if (wanted.trigger == RunTrigger::resume) return status.state == JobState::paused && status.run;
  if (status.state == JobState::starting || status.state == JobState::running) return true;
  return is_allowed(status, JobAction::trigger);
}

void record_queued_run(JobChange& change, const QueuedRun& wanted, WallTime now) {
  if (change.now.queued_run == wanted) return;
  change.now.queued_run = wanted;
  change.events.push_back(event_of("run.waiting", wanted, now));
}

void withdraw_queued_run(JobChange& change, WallTime now) {
  if (!change.now.queued_run) return;
  change.events.push_back(event_of("run.withdrawn", *change.now.queued_run, now));
  change.now.queued_run.reset();
}

bool resumes_automatically(const JobStatus& status) {
  return status.pause_reason && (*status.pause_reason != PauseReason::user || status.queued_run);
}

void convert_to_user_pause(JobChange& change, WallTime now) {
  if (!resumes_automatically(change.now)) return;  // it has ended meanwhile
  change.now.pause_reason = PauseReason::user;
  change.now.next_run_at.reset();
  change.now.queued_run.reset();
  change.events.push_back(
      {.kind = "job.paused", .at = now, .run = {}, .data = {{"reason", "user"}}});
}

}  // namespace heddle::lifecycle
