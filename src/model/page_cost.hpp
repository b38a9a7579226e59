// What working on a page took, told together with what became of it. Plain values.
#pragma once

#include <chrono>
#include <optional>

namespace heddle {

struct PageCost {
  // Computed for the run since it was last told: reading pages, scripts, comparing, compressing.
  std::chrono::microseconds cpu{0};
  // The worker that did it. Filled in by the coordinator: a worker cannot speak for another.
  std::optional<int> slot{};
};

}  // namespace heddle
