#include "hub/outbox/in_flight_deliveries.hpp"

namespace heddle::hub {

InFlightDeliveries::Reading InFlightDeliveries::begin_reading() {
  under_way_.insert(++newest_);
  return newest_;
}

void InFlightDeliveries::end_reading(Reading reading) {
  under_way_.erase(reading);
  // Releases older than every open reading need not be remembered.
  const Reading oldest = under_way_.empty() ? kInFlight : *under_way_.begin();
  std::erase_if(
      known_, [oldest](const auto& one) { return one.second != kInFlight && one.second < oldest; });
}

bool InFlightDeliveries::claim(Reading reading, const DeliveryId& id) {
  const auto found = known_.find(id);
  if (found != known_.end() && found->second >= reading) return false;
  known_[id] = kInFlight;
  return true;
}

void InFlightDeliveries::release(const DeliveryId& id) {
  known_[id] = newest_;
  if (under_way_.empty()) known_.erase(id);
  changed_.notify();
}

bool InFlightDeliveries::is_in_flight(const DeliveryId& id) const {
  const auto found = known_.find(id);
  return found != known_.end() && found->second == kInFlight;
}

}  // namespace heddle::hub
