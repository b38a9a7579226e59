// ScopeExit calls a function at the end of its scope, also that of a coroutine.
#pragma once

#include <utility>

namespace heddle {

template <class Function>
class [[nodiscard]] ScopeExit {
 public:
  explicit ScopeExit(Function on_exit) : on_exit_(std::move(on_exit)) {}
  ~ScopeExit() { on_exit_(); }
  ScopeExit(const ScopeExit&) = delete;
  ScopeExit& operator=(const ScopeExit&) = delete;

 private:
  Function on_exit_;
};

}  // namespace heddle
