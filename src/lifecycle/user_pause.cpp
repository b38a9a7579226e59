#include "lifecycle/user_pause.hpp"

namespace heddle::lifecycle {

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
