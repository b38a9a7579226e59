// The CPU time that the calling thread has used: time it spent waiting for a CPU is not in it.
#pragma once

#include <chrono>
#include <ctime>

namespace heddle::script {

inline std::chrono::nanoseconds thread_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace heddle::script
