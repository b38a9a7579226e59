// A pause that would end by itself can become a person's, who alone ends it then. Pure.
#pragma once

#include "base/time.hpp"
#include "model/job_life.hpp"

namespace heddle::lifecycle {

// Paused by Heddle itself: for want of room, until its file is in order, for its quota of the day,
// until its script has changed; or a person's whose end waits for a place.
bool ends_by_itself(const JobLife& life);

void make_lasting(JobChange& change, WallTime now);

}  // namespace heddle::lifecycle
