#include "lifecycle/queued_run.hpp"

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
  return find_transition(status.state, JobAction::trigger, status.run.has_value()) != nullptr;
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

}  // namespace heddle::lifecycle
