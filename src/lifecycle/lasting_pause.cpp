#include "lifecycle/lasting_pause.hpp"

namespace heddle::lifecycle {

bool ends_by_itself(const JobLife& life) {
  return life.pause_reason == PauseReason::storage_full ||
         life.pause_reason == PauseReason::missing;
}

void make_lasting(JobChange& change, WallTime now) {
  change.now.pause_reason = PauseReason::user;
  change.events.push_back(
      {.kind = "job.paused", .at = now, .run = {}, .data = {{"reason", "user"}}});
}

}  // namespace heddle::lifecycle
