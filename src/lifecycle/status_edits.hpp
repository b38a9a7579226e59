// Changes of a job's status that are not transitions: queued runs, and pauses that end by
// themselves. Pure.
#pragma once

#include "base/time.hpp"
#include "model/job/job_status.hpp"

namespace heddle::lifecycle {

// Whether the run may begin now or after the current one.
bool can_queue(const JobStatus& status, const QueuedRun& wanted);

// Both add an event.
void record_queued_run(JobChange& change, const QueuedRun& wanted, WallTime now);
void withdraw_queued_run(JobChange& change, WallTime now);

// Paused by Heddle (full storage, invalid file, daily quota, quarantine), or by a user whose resume
// is queued.
bool resumes_automatically(const JobStatus& status);
// Turns such a pause into a user pause, which only a user ends.
void convert_to_user_pause(JobChange& change, WallTime now);

}  // namespace heddle::lifecycle
