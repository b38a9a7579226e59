// LoopActivity counts the cycles on this event loop, so that a long-running script knows whether
// other jobs wait for it. One event loop.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ctime>

namespace heddle::pipeline {

struct LoopActivity {
  std::size_t cycles = 0;  // in flight, of all jobs
  // Shared memory word naming the job that is computing, readable even after this process was
  // killed; may be null.
  std::atomic<std::uint64_t>* current_job_mark = nullptr;
};

// Marks the job as computing while in scope. Must not span a suspension point.
class CurrentJobScope {
 public:
  CurrentJobScope(const LoopActivity& activity, std::uint64_t mark)
      : word_(activity.current_job_mark) {
    if (word_ != nullptr) word_->store(mark, std::memory_order_relaxed);
  }
  ~CurrentJobScope() {
    if (word_ != nullptr) word_->store(0, std::memory_order_relaxed);
  }
  CurrentJobScope(const CurrentJobScope&) = delete;
  CurrentJobScope& operator=(const CurrentJobScope&) = delete;

 private:
  std::atomic<std::uint64_t>* word_;
};

// Adds the CPU time of this thread while in scope. Must not span a suspension point.
class CpuTimer {
 public:
  explicit CpuTimer(std::chrono::nanoseconds& sum) : sum_(sum), start_(now()) {}
  ~CpuTimer() { sum_ += now() - start_; }
  CpuTimer(const CpuTimer&) = delete;
  CpuTimer& operator=(const CpuTimer&) = delete;

 private:
  static std::chrono::nanoseconds now() {
    timespec used{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
  }

  std::chrono::nanoseconds& sum_;
  std::chrono::nanoseconds start_;
};

// Counts one cycle of one job while in scope.
class ActiveCycleScope {
 public:
  ActiveCycleScope(LoopActivity& all, std::size_t& of_job) : all_(all), of_job_(of_job) {
    ++all_.cycles;
    ++of_job_;
  }
  ~ActiveCycleScope() {
    --all_.cycles;
    --of_job_;
  }
  ActiveCycleScope(const ActiveCycleScope&) = delete;
  ActiveCycleScope& operator=(const ActiveCycleScope&) = delete;

 private:
  LoopActivity& all_;
  std::size_t& of_job_;
};

}  // namespace heddle::pipeline
