// What a call has deferred: run last first when it ends, each on its own, with little time.
#pragma once

#include <chrono>
#include <string_view>

struct lua_State;

namespace heddle::script {

class Defers {
 public:
  static constexpr int kMost = 1000;

  // Keeps the function on top of the stack, and pops it. May raise.
  void add(lua_State* lua);
  [[nodiscard]] bool is_empty() const { return count_ == 0; }
  // Runs all on this thread. Nothing is raised: what fails is told to the host, as a message that
  // begins with the call's name.
  void run(lua_State* lua, std::string_view call_name) {
    (void)run_for(lua, call_name, std::chrono::hours(24));
  }
  // The same until they have taken so long; false: some are left, call it again.
  bool run_for(lua_State* lua, std::string_view call_name, std::chrono::milliseconds slice);
  // Gives up the Lua table behind it.
  void close(lua_State* lua);

 private:
  void run_last(lua_State* lua, std::string_view call_name);

  int reference_ = -2;  // LUA_NOREF
  int count_ = 0;
  int runs_ = 0;  // since the queue was last empty
  std::chrono::steady_clock::duration used_{0};
};

}  // namespace heddle::script
