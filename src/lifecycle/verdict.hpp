// How a run ended, judged from what became of its pages. Pure.
#pragma once

#include "model/run.hpp"

namespace heddle::lifecycle {

struct RunFacts {
  PageCounts pages;
  double max_error_rate = 0.5;
  bool reached_limit = false;  // pages or time
  bool was_cancelled = false;
  bool was_stopped = false;  // with its job
  bool broke_down = false;   // the store or the engine itself failed
};

RunState judge(const RunFacts& facts);

}  // namespace heddle::lifecycle
