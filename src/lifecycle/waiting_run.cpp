#include "lifecycle/waiting_run.hpp"

#include "lifecycle/job_table.hpp"

namespace heddle::lifecycle {

namespace {

JobEvent event_of(std::string kind, const WaitingRun& wanted, WallTime now) {
  return {.kind = std::move(kind), .at = now, .run = {}, .data = {{"trigger", wanted.trigger}}};
}

}  // namespace

bool may_wait(const JobLife& life, const WaitingRun& wanted) {
  if (wanted.trigger == kResumeTrigger) return life.state == JobState::paused && life.run;
  if (life.state == JobState::starting || life.state == JobState::running) return true;
  return find_row(life.state, JobAction::trigger, life.run.has_value()) != nullptr;
}

void note_waiting(JobChange& change, const WaitingRun& wanted, WallTime now) {
  if (change.now.waiting == wanted) return;
  change.now.waiting = wanted;
  change.events.push_back(event_of("run.waiting", wanted, now));
}

void take_back_waiting(JobChange& change, WallTime now) {
  if (!change.now.waiting) return;
  change.events.push_back(event_of("run.withdrawn", *change.now.waiting, now));
  change.now.waiting.reset();
}

}  // namespace heddle::lifecycle
