// InFlightDeliveries tracks the messages being sent, so that overlapping passes over the outbox
// never send one twice. A pass may still read a message as due that another pass finished after the
// reading began; it cannot claim that one either. Single event loop.
#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "base/async.hpp"
#include "base/ids.hpp"
#include "base/time.hpp"
#include "base/wake_signal.hpp"

namespace heddle::hub {

class InFlightDeliveries {
 public:
  // Identifies one reading of the outbox.
  using Reading = std::uint64_t;

  Reading begin_reading() {
    under_way_.insert(++newest_);
    return newest_;
  }
  // After its last claim().
  void end_reading(Reading reading) {
    under_way_.erase(reading);
    // Releases older than every open reading need not be remembered.
    const Reading oldest = under_way_.empty() ? kInFlight : *under_way_.begin();
    std::erase_if(known_, [oldest](const auto& one) {
      return one.second != kInFlight && one.second < oldest;
    });
  }

  // False: another pass has it, or had it since this reading began.
  bool claim(Reading reading, const DeliveryId& id) {
    const auto found = known_.find(id);
    if (found != known_.end() && found->second >= reading) return false;
    known_[id] = kInFlight;
    return true;
  }
  void release(const DeliveryId& id) {
    known_[id] = newest_;
    if (under_way_.empty()) known_.erase(id);
    changed_.notify();
  }

  [[nodiscard]] bool is_in_flight(const DeliveryId& id) const {
    const auto found = known_.find(id);
    return found != known_.end() && found->second == kInFlight;
  }
  Async<void> wait_for_change(Deadline deadline = Deadline::max()) {
    co_await changed_.wait(deadline);
  }

 private:
  static constexpr Reading kInFlight = UINT64_MAX;

  Reading newest_ = 0;
  std::set<Reading> under_way_;
  std::map<DeliveryId, Reading> known_;  // kInFlight, or the newest reading at its release
  WakeSignal changed_;
};

}  // namespace heddle::hub
