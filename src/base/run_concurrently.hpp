// Runs many coroutines with a limit on how many are active. One event loop.
#pragma once

#include <cstddef>
#include <functional>

#include "base/async.hpp"

namespace heddle {

// Calls `task` for 0 to count - 1, in this order, with at most `max_concurrent` calls active, and
// returns when all have ended. The caller keeps what `task` refers to until then.
Async<void> run_concurrently(std::size_t count, std::size_t max_concurrent,
                             std::function<Async<void>(std::size_t)> task);

}  // namespace heddle
