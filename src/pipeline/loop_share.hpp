// Who is at work on this event loop, so that a script that computes for long knows whether others
// wait for it. One event loop.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace heddle::pipeline {

struct LoopShare {
  std::size_t cycles = 0;  // under way, of all jobs
  // Where others can read whose job is being computed for, even after this process was killed; may
  // be absent.
  std::atomic<std::uint64_t>* shown_work = nullptr;
};

// Shows that the loop computes for this job, while it lives: only around what cannot be suspended.
class ShownWork {
 public:
  ShownWork(const LoopShare& share, std::uint64_t mark) : shown_(share.shown_work) {
    if (shown_ != nullptr) shown_->store(mark, std::memory_order_relaxed);
  }
  ~ShownWork() {
    if (shown_ != nullptr) shown_->store(0, std::memory_order_relaxed);
  }
  ShownWork(const ShownWork&) = delete;
  ShownWork& operator=(const ShownWork&) = delete;

 private:
  std::atomic<std::uint64_t>* shown_;
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
