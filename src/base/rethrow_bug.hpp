// Completion handler for detached coroutines: an exception is a bug and must not be lost, so it is
// rethrown out of the event loop's run().
#pragma once

#include <exception>

namespace heddle {

inline void rethrow_bug(const std::exception_ptr& bug) {
  if (bug) std::rethrow_exception(bug);
}

}  // namespace heddle
