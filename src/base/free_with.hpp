// Turns a C library's free function into a unique_ptr deleter that costs no space.
#pragma once

namespace heddle {

template <auto Free>
struct FreeWith {
  template <class T>
  void operator()(T* handle) const noexcept {
    Free(handle);
  }
};

}  // namespace heddle
