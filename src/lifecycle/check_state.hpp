// How a job does, judged from the ends of its runs: people are told of a change and of recovery,
// never once per failed run. Pure.
#pragma once

#include "model/job.hpp"
#include "model/job_life.hpp"
#include "model/run.hpp"

namespace heddle::lifecycle {

// Notes the end of a run in the job's life. A change of its check state becomes an event, and a
// message to each of the job's own channels.
void note_run_end(const Job& job, const Run& run, bool is_quarantined, JobChange& change);

}  // namespace heddle::lifecycle
