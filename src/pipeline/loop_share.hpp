// Who is at work on this event loop, so that a script that computes for long knows whether others
// wait for it. One event loop.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ctime>

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

// Adds what this thread computes while it lives: only around what cannot be suspended.
class ComputingTime {
 public:
  explicit ComputingTime(std::chrono::nanoseconds& sum) : sum_(sum), start_(now()) {}
  ~ComputingTime() { sum_ += now() - start_; }
  ComputingTime(const ComputingTime&) = delete;
  ComputingTime& operator=(const ComputingTime&) = delete;

 private:
  static std::chrono::nanoseconds now() {
    timespec used{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
  }

  std::chrono::nanoseconds& sum_;
  std::chrono::nanoseconds start_;
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
