// DeferStack holds a call's deferred callbacks and runs them when it ends: last first, each in its
// own protected call with a short budget. Used on the VM's thread.
#pragma once

#include <chrono>
#include <string_view>

struct lua_State;

namespace heddle::script {

class DeferStack {
 public:
  static constexpr int kMost = 1000;

  // Pops the function on top of the Lua stack and adds it. May raise.
  void add(lua_State* lua);
  [[nodiscard]] bool is_empty() const { return count_ == 0; }
  // Runs all on this thread. Does not raise: failures go to the host as warnings that begin with
  // the call's name.
  void run(lua_State* lua, std::string_view call_name) {
    (void)run_for(lua, call_name, std::chrono::hours(24));
  }
  // The same for at most `slice` of CPU time; false: some are left, call it again.
  bool run_for(lua_State* lua, std::string_view call_name, std::chrono::milliseconds slice);
  // Releases the Lua table of the callbacks.
  void close(lua_State* lua);

 private:
  void run_last(lua_State* lua, std::string_view call_name);

  int reference_ = -2;  // LUA_NOREF
  int count_ = 0;
  int runs_ = 0;                      // since the queue was last empty
  std::chrono::nanoseconds used_{0};  // CPU time
};

}  // namespace heddle::script
