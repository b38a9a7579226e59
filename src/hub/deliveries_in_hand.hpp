// Which messages are being sent, so that two passes over the outbox at the same time never send one
// twice. A pass reads the outbox while others go on: what they finish after its reading began is
// not for it either, though it still reads it as due. One event loop.
#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "base/async.hpp"
#include "base/doorbell.hpp"
#include "base/ids.hpp"
#include "base/time.hpp"

namespace heddle::hub {

class DeliveriesInHand {
 public:
  // Names one reading of the outbox.
  using Reading = std::uint64_t;

  Reading begin_reading();
  void end_reading(Reading reading);  // after the last take() of what it brought

  // False: another pass has it, or had it since this reading began.
  bool take(Reading reading, const DeliveryId& id);
  void put_down(const DeliveryId& id);

  [[nodiscard]] bool is_in_hand(const DeliveryId& id) const;
  Async<void> wait_for_change(Deadline deadline = Deadline::max()) {
    co_await changed_.wait(deadline);
  }

 private:
  static constexpr Reading kInHand = UINT64_MAX;

  Reading newest_ = 0;
  std::set<Reading> under_way_;
  std::map<DeliveryId, Reading> known_;  // to the newest reading when it was put down
  Doorbell changed_;
};

}  // namespace heddle::hub
