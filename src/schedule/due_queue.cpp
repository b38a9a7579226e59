#include "schedule/due_queue.hpp"

#include <algorithm>
#include <limits>

namespace heddle::schedule {

namespace {

constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();
// Four children are adjacent in memory: half the levels of a binary heap.
constexpr std::size_t kChildren = 4;

std::size_t parent_of(std::size_t position) {
  return (position - 1) / kChildren;
}

}  // namespace

bool DueQueue::is_before(const Entry& a, const Entry& b) {
  return a.due != b.due ? a.due < b.due : a.sequence < b.sequence;
}

bool DueQueue::holds(JobNumber job) const {
  return job < positions_.size() && positions_[job] != kNowhere;
}

void DueQueue::place(std::size_t position, const Entry& entry) {
  heap_[position] = entry;
  positions_[entry.job] = static_cast<std::uint32_t>(position);
}

void DueQueue::sift_up(std::size_t position, Entry entry) {
  while (position > 0 && is_before(entry, heap_[parent_of(position)])) {
    place(position, heap_[parent_of(position)]);
    position = parent_of(position);
  }
  place(position, entry);
}

void DueQueue::sift_down(std::size_t position, Entry entry) {
  while (true) {
    const std::size_t first = position * kChildren + 1;
    if (first >= heap_.size()) break;
    const std::size_t end = std::min(first + kChildren, heap_.size());
    std::size_t least = first;
    for (std::size_t child = first + 1; child < end; ++child)
      if (is_before(heap_[child], heap_[least])) least = child;
    if (!is_before(heap_[least], entry)) break;
    place(position, heap_[least]);
    position = least;
  }
  place(position, entry);
}

void DueQueue::settle(std::size_t position, const Entry& entry) {
  if (position > 0 && is_before(entry, heap_[parent_of(position)]))
    sift_up(position, entry);
  else
    sift_down(position, entry);
}

void DueQueue::remove_at(std::size_t position) {
  positions_[heap_[position].job] = kNowhere;
  const Entry last = heap_.back();
  heap_.pop_back();
  if (position < heap_.size()) settle(position, last);
}

void DueQueue::reserve(std::size_t jobs) {
  heap_.reserve(jobs);
  positions_.reserve(jobs);
}

void DueQueue::set(JobNumber job, WallTime due) {
  const Entry entry{due, next_sequence_++, job};
  if (holds(job)) return settle(positions_[job], entry);
  if (job >= positions_.size()) positions_.resize(std::size_t{job} + 1, kNowhere);
  heap_.push_back(entry);
  sift_up(heap_.size() - 1, entry);
}

bool DueQueue::remove(JobNumber job) {
  if (!holds(job)) return false;
  remove_at(positions_[job]);
  return true;
}

std::optional<DueJob> DueQueue::pop_due(WallTime now) {
  if (heap_.empty() || heap_.front().due > now) return std::nullopt;
  const DueJob job{heap_.front().job, heap_.front().due};
  remove_at(0);
  return job;
}

std::optional<WallTime> DueQueue::next_due() const {
  if (heap_.empty()) return std::nullopt;
  return heap_.front().due;
}

std::optional<WallTime> DueQueue::due_of(JobNumber job) const {
  if (!holds(job)) return std::nullopt;
  return heap_[positions_[job]].due;
}

void DueQueue::rebase(const std::function<std::optional<WallTime>(const DueJob&)>& plan) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < heap_.size(); ++i) {
    Entry entry = heap_[i];
    const auto due = plan({entry.job, entry.due});
    positions_[entry.job] = kNowhere;
    if (!due) continue;
    entry.due = *due;
    heap_[kept] = entry;
    ++kept;
  }
  heap_.resize(kept);
  for (std::size_t i = 0; i < kept; ++i) positions_[heap_[i].job] = static_cast<std::uint32_t>(i);
  if (kept < 2) return;
  for (std::size_t i = parent_of(kept - 1) + 1; i-- > 0;) sift_down(i, heap_[i]);
}

std::size_t DueQueue::bytes_held() const {
  return heap_.capacity() * sizeof(Entry) + positions_.capacity() * sizeof(std::uint32_t);
}

}  // namespace heddle::schedule
