// What the end of a run means: its final state by the results of its pages, and the check state of
// its job by the ends of its runs. Pure.
#pragma once

#include "model/job/job.hpp"
#include "model/job/job_status.hpp"
#include "model/run/run.hpp"

namespace heddle::lifecycle {

struct RunEndFacts {
  PageCounts pages;
  double max_error_rate = 0.5;
  bool reached_limit = false;  // pages or time
  bool was_cancelled = false;
  bool was_stopped = false;    // with its job
  bool engine_failed = false;  // the store or the engine
};

RunState run_end_state(const RunEndFacts& facts);

// Records the end of a run in the job's status. A change of its check state adds an event, and a
// message for each of the job's own channels: never once per failed run.
void note_run_end(const Job& job, const Run& run, bool is_quarantined, JobChange& change);

// Records that a service of the job is ready: then it is healthy, though its run goes on.
void note_service_ready(const Job& job, const Run& run, WallTime now, JobChange& change);

}  // namespace heddle::lifecycle
