// Decides how long a piece of upkeep may work, so that it and its commit hold the writer for less
// than kLongestHold. Writer thread only, but for the figures.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace heddle::store {

// What pieces have cost so far.
struct PieceFigures {
  std::int64_t pieces = 0;
  std::chrono::microseconds longest{0};      // held the writer, its commit included
  std::chrono::microseconds longest_cpu{0};  // the same in time of the processor
};

class PiecePacer {
 public:
  static constexpr std::chrono::milliseconds kLongestHold{20};

  [[nodiscard]] std::chrono::microseconds budget() const { return budget_; }

  // The commit costs as much again or more, depending on the disk: what counts is the whole.
  void note(std::chrono::microseconds held, std::chrono::microseconds cpu);

  [[nodiscard]] PieceFigures figures() const {  // thread-safe
    return {pieces_, std::chrono::microseconds(longest_), std::chrono::microseconds(longest_cpu_)};
  }

 private:
  std::chrono::microseconds budget_{1000};
  std::atomic<std::int64_t> pieces_{0};
  std::atomic<std::int64_t> longest_{0};
  std::atomic<std::int64_t> longest_cpu_{0};
};

// When a piece must come to its end.
class PieceTime {
 public:
  explicit PieceTime(std::chrono::microseconds budget)
      : end_(std::chrono::steady_clock::now() + budget) {}
  [[nodiscard]] bool is_up() const { return std::chrono::steady_clock::now() >= end_; }

 private:
  std::chrono::steady_clock::time_point end_;
};

}  // namespace heddle::store
