#include "supervise/recovery/respawn_permit.hpp"

#include <utility>

#include "supervise/recovery/respawn.hpp"

namespace heddle::supervise {

bool RespawnPermit::use() {
  std::function<void()> respawn;
  {
    const std::lock_guard lock(mutex_);
    if (is_cancelled_) return false;
    respawn = std::exchange(respawn_, nullptr);
    was_used_ = was_used_ || respawn;
  }
  if (!respawn) return false;
  respawn();
  return true;
}

void RespawnPermit::release() {
  std::function<void()> dropped;
  const std::lock_guard lock(mutex_);
  dropped.swap(respawn_);
}

void RespawnPermit::cancel() {
  {
    const std::lock_guard lock(mutex_);
    is_cancelled_ = true;
  }
  cancelled_.notify_all();
}

bool RespawnPermit::was_used() const {
  const std::lock_guard lock(mutex_);
  return was_used_;
}

bool RespawnPermit::is_cancelled() const {
  const std::lock_guard lock(mutex_);
  return is_cancelled_;
}

bool RespawnPermit::wait_for(std::chrono::milliseconds time) const {
  std::unique_lock lock(mutex_);
  return !cancelled_.wait_for(lock, time, [this] { return is_cancelled_; });
}

void RespawnControl::spawn() const {
  permit_->use();
}

bool RespawnControl::should_cancel() const {
  return permit_->is_cancelled();
}

bool RespawnControl::wait_for(std::chrono::milliseconds time) const {
  return permit_->wait_for(time);
}

}  // namespace heddle::supervise
