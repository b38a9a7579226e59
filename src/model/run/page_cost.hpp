// The cost of processing a page, reported together with its result. Plain values.
#pragma once

#include <chrono>
#include <optional>

namespace heddle {

struct PageCost {
  // CPU time of the run since the last report: parsing, scripts, comparing, compressing.
  std::chrono::microseconds cpu{0};
  // The worker slot. Set by the coordinator, which does not trust a worker to name it.
  std::optional<int> slot{};
};

}  // namespace heddle
