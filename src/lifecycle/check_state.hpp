// How a job does, judged from the ends of its runs: an alert on a change and on recovery, never one
// per failed run. Pure.
#pragma once

#include <vector>

#include "model/job_life.hpp"
#include "model/run.hpp"

namespace heddle::lifecycle {

// Notes the end of a run in the job's life; a change of its check state becomes an event.
// `alert_after`: so many failed runs in a row make the job `failing`.
void note_run_end(const Run& run, int alert_after, bool is_quarantined, JobLife& life,
                  std::vector<JobEvent>& events, WallTime now);

}  // namespace heddle::lifecycle
