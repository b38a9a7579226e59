// Suspends a coroutine for a time. Ends early when the coroutine is cancelled.
#pragma once

#include <chrono>

#include "base/async.hpp"

namespace heddle {

// Returns immediately when `time` is not positive.
Async<void> pause_for(std::chrono::milliseconds time);

}  // namespace heddle
