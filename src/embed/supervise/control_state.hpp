// What a public RecoveryControl holds.
#pragma once

#include <heddle/recovery.hpp>

#include "supervise/recovery.hpp"

namespace heddle {

class RecoveryControl::State {
 public:
  explicit State(supervise::RecoveryControl inner_in) : inner(std::move(inner_in)) {}
  supervise::RecoveryControl inner;
};

}  // namespace heddle
