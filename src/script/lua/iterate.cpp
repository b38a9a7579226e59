#include "script/lua/iterate.hpp"

#include <lua.hpp>

namespace heddle::script {
namespace {

int next_pair(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  lua_settop(lua, 2);
  if (lua_next(lua, 1) != 0) return 2;
  lua_pushnil(lua);
  return 1;
}

}  // namespace

int return_iteration(lua_State* lua) {
  lua_pushcfunction(lua, next_pair);
  lua_insert(lua, -2);
  lua_pushnil(lua);
  return 3;
}

void copy_pairs(lua_State* lua, int from, int to) {
  for (lua_pushnil(lua); lua_next(lua, from) != 0;) {
    lua_pushvalue(lua, -2);
    lua_insert(lua, -2);
    lua_rawset(lua, to);
  }
}

void clear_table(lua_State* lua, int table) {
  for (lua_pushnil(lua); lua_next(lua, table) != 0;) {
    lua_pop(lua, 1);
    lua_pushvalue(lua, -1);
    lua_pushnil(lua);
    lua_rawset(lua, table);
  }
}

}  // namespace heddle::script
