#include "hub/runs/dispatch/slot_assignment.hpp"

#include <algorithm>

namespace heddle::hub {

namespace {

// Sharing a download is not worth leaving other slots idle.
constexpr int kMaxSharingLoad = 16;  // cycles

}  // namespace

std::optional<SlotAssignment::Slot> SlotAssignment::choose(const Job& job) const {
  if (loads_.empty()) return std::nullopt;
  if (!job.scripts.files.empty()) {
    const auto last = last_slots_.find(job.id);
    if (last != last_slots_.end() && loads_.contains(last->second)) return last->second;
  }
  const auto least = std::min_element(
      loads_.begin(), loads_.end(),
      [](const auto& left, const auto& right) { return left.second < right.second; });
  if (const auto circle = circle_slots_.find(job.shared_page_group);
      circle != circle_slots_.end()) {
    const auto shared = loads_.find(circle->second);
    if (shared != loads_.end() && shared->second <= least->second + kMaxSharingLoad)
      return shared->first;
  }
  return least->first;
}

void SlotAssignment::begin(const Job& job, Slot slot) {
  const auto found = loads_.find(slot);
  if (found == loads_.end()) return;
  found->second += job.workers;
  last_slots_[job.id] = slot;
  if (job.shared_page_group != 0) circle_slots_[job.shared_page_group] = slot;
}

void SlotAssignment::end(const Job& job, Slot slot) {
  const auto found = loads_.find(slot);
  if (found != loads_.end()) found->second = std::max(0, found->second - job.workers);
}

}  // namespace heddle::hub
