#include "hub/deliveries_in_hand.hpp"

namespace heddle::hub {

DeliveriesInHand::Reading DeliveriesInHand::begin_reading() {
  under_way_.insert(++newest_);
  return newest_;
}

void DeliveriesInHand::end_reading(Reading reading) {
  under_way_.erase(reading);
  // What every reading that is left begins after needs not be remembered.
  const Reading oldest = under_way_.empty() ? kInHand : *under_way_.begin();
  std::erase_if(known_,
                [oldest](const auto& one) { return one.second != kInHand && one.second < oldest; });
}

bool DeliveriesInHand::take(Reading reading, const DeliveryId& id) {
  const auto found = known_.find(id);
  if (found != known_.end() && found->second >= reading) return false;
  known_[id] = kInHand;
  return true;
}

void DeliveriesInHand::put_down(const DeliveryId& id) {
  known_[id] = newest_;
  if (under_way_.empty()) known_.erase(id);
  changed_.ring();
}

bool DeliveriesInHand::is_in_hand(const DeliveryId& id) const {
  const auto found = known_.find(id);
  return found != known_.end() && found->second == kInHand;
}

}  // namespace heddle::hub
