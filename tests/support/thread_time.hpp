#pragma once

#include <chrono>
#include <ctime>

namespace heddle::testing {

// What others on the machine take away from this thread does not count.
inline std::chrono::nanoseconds computed_by_this_thread() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace heddle::testing
