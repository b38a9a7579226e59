// Resumes or ends what the previous daemon left: unfinished runs, and jobs in the middle of a step.
#pragma once

#include "hub/jobs/scheduler_tools.hpp"

namespace heddle::hub {

// Call when all jobs are configured.
Async<Status> recover_jobs(const SchedulerTools& tools);

// Ends the job's unfinished runs as failed; returns how many.
Async<Result<std::size_t>> end_interrupted_runs(const SchedulerTools& tools, JobId job);

}  // namespace heddle::hub
