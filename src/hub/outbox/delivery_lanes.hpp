// DeliveryLanes queues messages per receiver and limits how many of a lane are sent at once, so
// that a receiver that does not answer delays only its own messages. A lane is first in, first out.
// Pure; single event loop.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heddle::hub {

template <class Item>
class DeliveryLanes {
 public:
  struct Limits {
    std::size_t per_lane = 2;
    std::size_t total = 128;
  };
  using Begun = std::pair<std::string, Item>;  // with its lane

  explicit DeliveryLanes(Limits limits) : limits_(limits) {}

  void add(const std::string& lane, Item item) {
    lanes_[lane].waiting.push_back(std::move(item));
    ++waiting_;
  }

  // Takes the next message that may be sent, round robin over the lanes; end() follows. nullopt:
  // none now.
  std::optional<Begun> begin_next() {
    if (under_way_ >= limits_.total || waiting_ == 0) return std::nullopt;
    auto lane = lanes_.upper_bound(last_);
    for (std::size_t checked = 0; checked < lanes_.size(); ++checked, ++lane) {
      if (lane == lanes_.end()) lane = lanes_.begin();
      if (lane->second.waiting.empty() || lane->second.under_way >= limits_.per_lane) continue;
      last_ = lane->first;
      ++lane->second.under_way;
      ++under_way_;
      --waiting_;
      Begun begun{lane->first, std::move(lane->second.waiting.front())};
      lane->second.waiting.pop_front();
      return begun;
    }
    return std::nullopt;
  }

  void end(const std::string& name) {
    const auto lane = lanes_.find(name);
    --under_way_;
    --lane->second.under_way;
    if (lane->second.under_way == 0 && lane->second.waiting.empty()) lanes_.erase(lane);
  }

  // Removes the messages of a lane that have not begun; one of the lane is in flight.
  std::vector<Item> remove_waiting(const std::string& name) {
    std::vector<Item> removed;
    if (const auto lane = lanes_.find(name); lane != lanes_.end())
      move_waiting(lane->second, removed);
    return removed;
  }

  // Removes all messages that have not begun.
  std::vector<Item> remove_waiting() {
    std::vector<Item> removed;
    for (auto& [name, lane] : lanes_) move_waiting(lane, removed);
    std::erase_if(lanes_, [](const auto& lane) { return lane.second.under_way == 0; });
    return removed;
  }

  [[nodiscard]] std::size_t size() const { return waiting_ + under_way_; }

 private:
  struct Lane {
    std::deque<Item> waiting;
    std::size_t under_way = 0;
  };

  void move_waiting(Lane& lane, std::vector<Item>& removed) {
    waiting_ -= lane.waiting.size();
    for (Item& item : lane.waiting) removed.push_back(std::move(item));
    lane.waiting.clear();
  }

  Limits limits_;
  std::map<std::string, Lane> lanes_;  // no empty lanes
  std::string last_;                   // lane that began a message
  std::size_t waiting_ = 0;
  std::size_t under_way_ = 0;
};

}  // namespace heddle::hub
