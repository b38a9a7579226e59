// Implements the public RecoveryControl.
#pragma once

#include <heddle/recovery.hpp>

#include "supervise/recovery/respawn.hpp"

namespace heddle {

class RecoveryControl::State {
 public:
  explicit State(supervise::RespawnControl inner_in) : inner(std::move(inner_in)) {}
  supervise::RespawnControl inner;
};

}  // namespace heddle
