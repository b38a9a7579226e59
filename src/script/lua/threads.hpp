// The Lua threads on which calls run. A finished one is used again: making one costs more than a
// short hook.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

struct lua_State;

namespace heddle::script {

class Threads {
 public:
  // nullptr: no memory for another one.
  [[nodiscard]] lua_State* take(lua_State* main);
  // It must be empty and neither suspended nor dead.
  void give_back(lua_State* main, lua_State* thread);

  // Calls run on it: no business of the script's coroutine functions.
  [[nodiscard]] bool owns(lua_State* thread) const { return references_.contains(thread); }

 private:
  std::vector<lua_State*> idle_;
  std::unordered_map<lua_State*, int> references_;  // what keeps them from the collector
};

}  // namespace heddle::script
