// Runs the engine's own work on a Lua state where errors, lack of memory first of all, are caught.
#pragma once

#include <type_traits>

#include <lua.hpp>

namespace heddle::script {

// Calls work(lua) with the topmost `arguments` values as 1…n of its stack; it returns how many
// results it left on top. Gives Lua's status; after a failure the error value is on top instead.
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
