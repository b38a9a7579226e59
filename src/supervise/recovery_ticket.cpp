#include "supervise/recovery_ticket.hpp"

#include <utility>

#include "supervise/recovery.hpp"

namespace heddle::supervise {

bool RecoveryTicket::redeem() {
  std::function<void()> respawn;
  {
    const std::lock_guard lock(mutex_);
    if (is_cancelled_) return false;
    respawn = std::exchange(respawn_, nullptr);
    was_redeemed_ = was_redeemed_ || respawn;
  }
  if (!respawn) return false;
  respawn();
  return true;
}

void RecoveryTicket::release() {
  std::function<void()> dropped;
  const std::lock_guard lock(mutex_);
  dropped.swap(respawn_);
}

void RecoveryTicket::cancel() {
  {
    const std::lock_guard lock(mutex_);
    is_cancelled_ = true;
  }
  cancelled_.notify_all();
}

bool RecoveryTicket::was_redeemed() const {
  const std::lock_guard lock(mutex_);
  return was_redeemed_;
}

bool RecoveryTicket::is_cancelled() const {
  const std::lock_guard lock(mutex_);
  return is_cancelled_;
}

bool RecoveryTicket::wait_for(std::chrono::milliseconds time) const {
  std::unique_lock lock(mutex_);
  return !cancelled_.wait_for(lock, time, [this] { return is_cancelled_; });
}

void RecoveryControl::spawn() const {
  ticket_->redeem();
}

bool RecoveryControl::should_cancel() const {
  return ticket_->is_cancelled();
}

bool RecoveryControl::wait_for(std::chrono::milliseconds time) const {
  return ticket_->wait_for(time);
}

}  // namespace heddle::supervise
