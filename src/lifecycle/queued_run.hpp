// Decides when a run may be queued and records it in the job's status. Pure.
#pragma once

#include "base/time.hpp"
#include "model/job/job_status.hpp"

namespace heddle::lifecycle {

// Whether the run may begin now or after the current one.
bool can_queue(const JobStatus& status, const QueuedRun& wanted);

// Both add an event.
void record_queued_run(JobChange& change, const QueuedRun& wanted, WallTime now);
void withdraw_queued_run(JobChange& change, WallTime now);

}  // namespace heddle::lifecycle
