// How coroutines end that nobody waits for: exceptions are bugs, and a bug in one of them must not
// pass unnoticed. It comes out of the event loop's run().
#pragma once

#include <exception>

namespace heddle {

inline void rethrow_bug(const std::exception_ptr& bug) {
  if (bug) std::rethrow_exception(bug);
}

}  // namespace heddle
