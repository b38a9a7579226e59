#include "lifecycle/lasting_pause.hpp"

namespace heddle::lifecycle {

bool ends_by_itself(const JobLife& life) {
  return life.pause_reason && (*life.pause_reason != PauseReason::user || life.waiting);
}

void make_lasting(JobChange& change, WallTime now) {
  if (!ends_by_itself(change.now)) return;  // it has ended meanwhile
  change.now.pause_reason = PauseReason::user;
  change.now.next_run_at.reset();
  change.now.waiting.reset();
  change.events.push_back(
      {.kind = "job.paused", .at = now, .run = {}, .data = {{"reason", "user"}}});
}

}  // namespace heddle::lifecycle
