// A coroutine's rest. Ends early when the coroutine is cancelled.
#pragma once

#include <chrono>

#include "base/async.hpp"

namespace heddle {

// Returns at once when there is nothing to wait for.
Async<void> pause_for(std::chrono::milliseconds time);

}  // namespace heddle
