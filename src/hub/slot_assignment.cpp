#include "hub/slot_assignment.hpp"

#include <algorithm>

namespace heddle::hub {

namespace {

// A shared download is not worth it to leave the other slots idle.
constexpr int kWorthSharing = 16;  // cycles

}  // namespace

void SlotAssignment::add(Slot slot) {
  loads_.try_emplace(slot, 0);
}

void SlotAssignment::remove(Slot slot) {
  loads_.erase(slot);
}

std::optional<SlotAssignment::Slot> SlotAssignment::choose(const Job& job) const {
  if (loads_.empty()) return std::nullopt;
  if (!job.scripts.files.empty()) {
    const auto home = homes_.find(job.id);
    if (home != homes_.end() && loads_.contains(home->second)) return home->second;
  }
  const auto least = std::min_element(
      loads_.begin(), loads_.end(),
      [](const auto& left, const auto& right) { return left.second < right.second; });
  if (const auto circle = circles_.find(job.page_circle); circle != circles_.end()) {
    const auto common = loads_.find(circle->second);
    if (common != loads_.end() && common->second <= least->second + kWorthSharing)
      return common->first;
  }
  return least->first;
}

void SlotAssignment::begin(const Job& job, Slot slot) {
  const auto found = loads_.find(slot);
  if (found == loads_.end()) return;
  found->second += job.workers;
  homes_[job.id] = slot;
  if (job.page_circle != 0) circles_[job.page_circle] = slot;
}

void SlotAssignment::end(const Job& job, Slot slot) {
  const auto found = loads_.find(slot);
  if (found != loads_.end()) found->second = std::max(0, found->second - job.workers);
}

int SlotAssignment::load(Slot slot) const {
  const auto found = loads_.find(slot);
  return found == loads_.end() ? 0 : found->second;
}

}  // namespace heddle::hub
