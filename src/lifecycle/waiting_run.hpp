// A run that is wanted and has no place yet: when a job may wait for one, and how that is written
// into its life. Pure.
#pragma once

#include <string_view>

#include "base/time.hpp"
#include "model/job_life.hpp"

namespace heddle::lifecycle {

// What is waited for is not a new run: the paused one goes on.
inline constexpr std::string_view kResumeTrigger = "resume";

// Whether the run could begin now or after the one that is not over.
bool may_wait(const JobLife& life, const WaitingRun& wanted);

// With its event.
void note_waiting(JobChange& change, const WaitingRun& wanted, WallTime now);
void take_back_waiting(JobChange& change, WallTime now);

}  // namespace heddle::lifecycle
