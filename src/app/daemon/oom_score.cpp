#include "app/daemon/oom_score.hpp"

#include <algorithm>
#include <fstream>

namespace heddle::app {

namespace {

constexpr const char* kAdjustment = "/proc/self/oom_score_adj";
constexpr int kHighest = 1000;
// Counts like additional use of half of the machine's memory.
constexpr int kMore = 500;

}  // namespace

void raise_oom_score() {
  int inherited = 0;
  if (!(std::ifstream(kAdjustment) >> inherited)) return;
  std::ofstream(kAdjustment) << std::min(kHighest, inherited + kMore);
}

}  // namespace heddle::app
