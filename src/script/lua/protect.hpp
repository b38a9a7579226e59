// Runs engine code on a Lua state in protected mode, which catches errors such as lack of memory.
#pragma once

#include <type_traits>

#include <lua.hpp>

namespace heddle::script {

// Calls work(lua) with the topmost `arguments` values as 1…n of its stack; it returns the
// number of results on top. Returns Lua's status; after a failure the error is on top.
template <class Work>
int protect(lua_State* lua, Work&& work, int arguments = 0, int results = 0) {
  using Callable = std::remove_reference_t<Work>;
  lua_pushcfunction(lua, [](lua_State* inner) -> int {
    auto& callable = *static_cast<Callable*>(lua_touserdata(inner, -1));
    lua_settop(inner, -2);
    return callable(inner);
  });
  lua_insert(lua, -1 - arguments);
  lua_pushlightuserdata(lua, const_cast<void*>(static_cast<const void*>(&work)));
  return lua_pcall(lua, arguments + 1, results, 0);
}

}  // namespace heddle::script
