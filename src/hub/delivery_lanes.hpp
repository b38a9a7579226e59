// Messages that are to be sent, in a lane for each receiver: a few of a lane are under way at a
// time, so that a receiver that does not answer holds up nobody but itself. In a lane first come
// is first begun. Pure bookkeeping; one event loop.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heddle::hub {

template <class Errand>
class DeliveryLanes {
 public:
  struct Limits {
    std::size_t per_lane = 2;
    std::size_t in_all = 128;
  };
  using Begun = std::pair<std::string, Errand>;  // with its lane

  explicit DeliveryLanes(Limits limits) : limits_(limits) {}

  void add(const std::string& lane, Errand errand) {
    lanes_[lane].waiting.push_back(std::move(errand));
    ++waiting_;
  }

  // The next that may begin, lane after lane; end() follows. nullopt: none for now.
  std::optional<Begun> begin_next() {
    if (under_way_ >= limits_.in_all || waiting_ == 0) return std::nullopt;
    auto lane = lanes_.upper_bound(last_);
    for (std::size_t looked = 0; looked < lanes_.size(); ++looked, ++lane) {
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

  // All of a lane that have not begun; one of it is under way.
  std::vector<Errand> give_up_waiting(const std::string& name) {
    std::vector<Errand> given_up;
    const auto lane = lanes_.find(name);
    if (lane == lanes_.end()) return given_up;
    for (Errand& errand : lane->second.waiting) given_up.push_back(std::move(errand));
    waiting_ -= lane->second.waiting.size();
    lane->second.waiting.clear();
    return given_up;
  }

  // All that have not begun.
  std::vector<Errand> give_up_waiting() {
    std::vector<Errand> given_up;
    for (auto& [name, lane] : lanes_) {
      for (Errand& errand : lane.waiting) given_up.push_back(std::move(errand));
      lane.waiting.clear();
    }
    std::erase_if(lanes_, [](const auto& lane) { return lane.second.under_way == 0; });
    waiting_ = 0;
    return given_up;
  }

  [[nodiscard]] std::size_t size() const { return waiting_ + under_way_; }

 private:
  struct Lane {
    std::deque<Errand> waiting;
    std::size_t under_way = 0;
  };

  Limits limits_;
  std::map<std::string, Lane> lanes_;  // none without an errand
  std::string last_;                   // that began one
  std::size_t waiting_ = 0;
  std::size_t under_way_ = 0;
};

}  // namespace heddle::hub
