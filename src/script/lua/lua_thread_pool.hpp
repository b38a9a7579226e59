// LuaThreadPool owns the Lua threads on which calls run. It reuses them, because creating one costs
// more than a short hook. Not thread-safe.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

struct lua_State;

namespace heddle::script {

class LuaThreadPool {
 public:
  // nullptr when out of memory.
  [[nodiscard]] lua_State* acquire(lua_State* main);
  // The thread must be empty and neither suspended nor dead.
  void release(lua_State* main, lua_State* thread);

  // Whether the thread belongs to the pool: coroutine functions of scripts must not touch it.
  [[nodiscard]] bool owns(lua_State* thread) const { return references_.contains(thread); }

 private:
  std::vector<lua_State*> idle_;
  std::unordered_map<lua_State*, int> references_;  // registry references that keep them alive
};

}  // namespace heddle::script
