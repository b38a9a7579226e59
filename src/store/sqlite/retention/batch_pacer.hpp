// Decides how long a maintenance batch may run, so that it blocks the writer for less than
// kLongestHold, its commit included. Writer thread only, except for figures().
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace heddle::store {

// Cost of all batches so far.
struct BatchFigures {
  std::int64_t batches = 0;
  std::chrono::microseconds longest{0};      // blocked the writer, commit included
  std::chrono::microseconds longest_cpu{0};  // CPU time
};

class BatchPacer {
 public:
  static constexpr std::chrono::milliseconds kLongestHold{20};

  [[nodiscard]] std::chrono::microseconds budget() const { return budget_; }

  // The commit takes as long again or longer, depending on the disk: the total counts.
  void record(std::chrono::microseconds held, std::chrono::microseconds cpu);

  [[nodiscard]] BatchFigures figures() const {  // thread-safe
    return {batches_, std::chrono::microseconds(longest_), std::chrono::microseconds(longest_cpu_)};
  }

 private:
  std::chrono::microseconds budget_{1000};
  std::atomic<std::int64_t> batches_{0};
  std::atomic<std::int64_t> longest_{0};
  std::atomic<std::int64_t> longest_cpu_{0};
};

// Tells a batch when to stop.
class BatchDeadline {
 public:
  explicit BatchDeadline(std::chrono::microseconds budget)
      : end_(std::chrono::steady_clock::now() + budget) {}
  [[nodiscard]] bool has_passed() const { return std::chrono::steady_clock::now() >= end_; }

 private:
  std::chrono::steady_clock::time_point end_;
};

}  // namespace heddle::store
