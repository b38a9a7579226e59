// The same for many things, some at a time. One event loop.
#pragma once

#include <cstddef>
#include <functional>

#include "base/async.hpp"

namespace heddle {

// Calls `one` for 0 to count - 1, in this order, with at most `at_a_time` of them under way;
// returns when all have ended. What `one` refers to lives until then.
Async<void> do_all(std::size_t count, std::size_t at_a_time,
                   std::function<Async<void>(std::size_t)> one);

}  // namespace heddle
