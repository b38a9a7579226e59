#include "lifecycle/waiting_run.hpp"

#include "lifecycle/job_table.hpp"

namespace heddle::lifecycle {

namespace {

JobEvent event_of(std::string kind, const WaitingRun& wanted, WallTime now) {
  return {.kind = std::move(kind), .at = now, .run = {}, .data = {{"trigger", wanted.trigger}}};
}

}  // namespace

bool can_queue(const JobLife& status, const WaitingRun& wanted) {
  if (wanted.trigger == kResumeTrigger) return status.state == JobState::paused && status.run;
  if (status.state == JobState::starting || status.state == JobState::running) return true;
  return find_transition(status.state, JobAction::trigger, status.run.has_value()) != nullptr;
}

void record_queued_run(JobChange& change, const WaitingRun& wanted, WallTime now) {
  if (change.now.waiting == wanted) return;
  change.now.waiting = wanted;
  change.events.push_back(event_of("run.waiting", wanted, now));
}

void withdraw_queued_run(JobChange& change, WallTime now) {
  if (!change.now.waiting) return;
  change.events.push_back(event_of("run.withdrawn", *change.now.waiting, now));
  change.now.waiting.reset();
}

}  // namespace heddle::lifecycle
