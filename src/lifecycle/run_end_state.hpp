// Decides the final state of a run from the results of its pages. Pure.
#pragma once

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

}  // namespace heddle::lifecycle
