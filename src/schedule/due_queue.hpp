// Orders up to millions of jobs by due time: an indexed heap. An idle job costs 28 bytes, besides
// the spare capacity of the arrays, and no time. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/time.hpp"

namespace heddle::schedule {

// Assigned by the caller, small and dense (an index into its table of jobs); numbers of removed
// jobs may be reused. Memory grows with the largest one.
using JobNumber = std::uint32_t;

struct DueJob {
  JobNumber job = 0;
  WallTime due{};

  bool operator==(const DueJob&) const = default;
};

class DueQueue {
 public:
  // Reserves memory for jobs with numbers below `jobs`.
  void reserve(std::size_t jobs);

  // Adds the job, or moves it to its new time. O(log n).
  void set(JobNumber job, WallTime due);
  // False: the job was not queued. O(log n).
  bool remove(JobNumber job);
  // Removes and returns the earliest job due at `now` or before; of several at one instant the one
  // that was set first. O(log n).
  std::optional<DueJob> pop_due(WallTime now);

  [[nodiscard]] std::optional<WallTime> next_due() const;
  [[nodiscard]] std::optional<WallTime> due_of(JobNumber job) const;
  [[nodiscard]] std::size_t size() const { return heap_.size(); }

  // Recomputes every due time after the wall clock was set; nullopt from `plan` removes the job.
  // Jobs with equal due times keep their order. O(n). `plan` must not use the queue.
  void rebase(const std::function<std::optional<WallTime>(const DueJob&)>& plan);

  [[nodiscard]] std::size_t bytes_held() const;  // by the arrays, spare capacity included

 private:
  struct Entry {
    WallTime due{};
    std::uint64_t sequence = 0;  // when it was set: the order of ties
    JobNumber job = 0;
  };

  static bool is_before(const Entry& a, const Entry& b);
  [[nodiscard]] bool holds(JobNumber job) const;
  void place(std::size_t position, const Entry& entry);
  void sift_up(std::size_t position, Entry entry);
  void sift_down(std::size_t position, Entry entry);
  void settle(std::size_t position, const Entry& entry);
  void remove_at(std::size_t position);

  std::vector<Entry> heap_;
  std::vector<std::uint32_t> positions_;  // of each job in the heap, by its number
  std::uint64_t next_sequence_ = 0;
};

}  // namespace heddle::schedule
