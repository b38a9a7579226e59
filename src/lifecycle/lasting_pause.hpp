// A pause that would end by itself can become a person's, who alone ends it then. Pure.
#pragma once

#include "base/time.hpp"
#include "model/job_life.hpp"

namespace heddle::lifecycle {

// Paused for want of room, or until its file is in order.
bool ends_by_itself(const JobLife& life);

void make_lasting(JobChange& change, WallTime now);

}  // namespace heddle::lifecycle
