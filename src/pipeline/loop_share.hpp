// Who is at work on this event loop, so that a script that computes for long knows whether others
// wait for it. One event loop.
#pragma once

#include <cstddef>

namespace heddle::pipeline {

struct LoopShare {
  std::size_t cycles = 0;  // under way, of all jobs
};

// One cycle of one job, while it lives.
class CycleCount {
 public:
  CycleCount(LoopShare& all, std::size_t& of_job) : all_(all), of_job_(of_job) {
    ++all_.cycles;
    ++of_job_;
  }
  ~CycleCount() {
    --all_.cycles;
    --of_job_;
  }
  CycleCount(const CycleCount&) = delete;
  CycleCount& operator=(const CycleCount&) = delete;

 private:
  LoopShare& all_;
  std::size_t& of_job_;
};

}  // namespace heddle::pipeline
