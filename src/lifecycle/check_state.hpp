// Derives a job's check state from the ends of its runs: notifies on a change and on recovery,
// never once per failed run. Pure.
#pragma once

#include "model/job/job.hpp"
#include "model/job/job_status.hpp"
#include "model/run/run.hpp"

namespace heddle::lifecycle {

// Records the end of a run in the job's status. A change of its check state adds an event, and a
// message for each of the job's own channels.
void note_run_end(const Job& job, const Run& run, bool is_quarantined, JobChange& change);

}  // namespace heddle::lifecycle
