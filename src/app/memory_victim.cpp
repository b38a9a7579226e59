#include "app/memory_victim.hpp"

#include <algorithm>
#include <fstream>

namespace heddle::app {

namespace {

constexpr const char* kAdjustment = "/proc/self/oom_score_adj";
constexpr int kHighest = 1000;
// As if it used half of the machine's memory besides.
constexpr int kMore = 500;

}  // namespace

void end_before_the_daemon_when_memory_is_short() {
  int inherited = 0;
  if (!(std::ifstream(kAdjustment) >> inherited)) return;
  std::ofstream(kAdjustment) << std::min(kHighest, inherited + kMore);
}

}  // namespace heddle::app
