#include "embed/supervise/control_state.hpp"

namespace heddle {

RecoveryControl::RecoveryControl(std::shared_ptr<State> state) : state_(std::move(state)) {}

void RecoveryControl::spawn() const {
  state_->inner.spawn();
}

bool RecoveryControl::should_cancel() const {
  return state_->inner.should_cancel();
}

bool RecoveryControl::wait_for(std::chrono::milliseconds time) const {
  return state_->inner.wait_for(time);
}

}  // namespace heddle
