// Turns a pause that ends automatically into a user pause, which only a user ends. Pure.
#pragma once

#include "base/time.hpp"
#include "model/job/job_status.hpp"

namespace heddle::lifecycle {

// Paused by Heddle (full storage, invalid file, daily quota, quarantine), or by a user whose resume
// is queued.
bool resumes_automatically(const JobStatus& status);

void convert_to_user_pause(JobChange& change, WallTime now);

}  // namespace heddle::lifecycle
