#pragma once

#include <chrono>
#include <ctime>

namespace heddle::testing {

// CPU time of this thread, independent of other load on the machine.
inline std::chrono::nanoseconds thread_cpu_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace heddle::testing
