#include "script/library/table_luau.hpp"

#include <algorithm>
#include <climits>

#include <lua.hpp>

#include "script/library/integer_argument.hpp"
#include "script/lua/frozen_table.hpp"
#include "script/lua/guarded_table.hpp"
#include "script/lua/stack.hpp"
#include "script/lua/step_counter.hpp"

namespace heddle::script {

int table_clear(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  refuse_if_guarded(lua, 1, "table.clear");
  refuse_if_frozen(lua, 1);
  StepCounter steps(lua);
  for (lua_pushnil(lua); lua_next(lua, 1) != 0;) {
    steps.add(4);
    lua_pop(lua, 1);
    lua_pushvalue(lua, -1);
    lua_pushnil(lua);
    lua_rawset(lua, 1);
  }
  return 0;
}

// A copy with the same metatable, which may be changed.
int table_clone(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  lua_settop(lua, 1);
  const bool has_metatable = push_metatable(lua, 1);
  if (has_metatable && !is_marked_as_array(lua, 1)) {
    lua_pushliteral(lua, "__metatable");
    luaL_argcheck(lua, lua_rawget(lua, 2) == LUA_TNIL, 1, "table has a protected metatable");
    lua_pop(lua, 1);
  }
  replace_by_contents(lua, 1);
  const auto length = std::min<lua_Unsigned>(lua_rawlen(lua, 1), INT_MAX);
  lua_createtable(lua, static_cast<int>(length), 0);
  const int copy = lua_gettop(lua);
  StepCounter steps(lua);
  for (lua_pushnil(lua); lua_next(lua, 1) != 0;) {
    steps.add(4);
    lua_pushvalue(lua, -2);
    lua_insert(lua, -2);
    lua_rawset(lua, copy);
  }
  if (has_metatable) {
    lua_pushvalue(lua, 2);
    lua_setmetatable(lua, copy);
  }
  return 1;
}

// create(count, [value])
int table_create(lua_State* lua) {
  const lua_Integer count = check_integer(lua, 1);
  luaL_argcheck(lua, count >= 0 && count <= INT_MAX, 1, "size out of range");
  lua_settop(lua, 2);
  lua_createtable(lua, static_cast<int>(count), 0);
  if (lua_isnil(lua, 2)) return 1;
  StepCounter steps(lua);
  for (lua_Integer i = 1; i <= count; ++i) {
    steps.add(1);
    lua_pushvalue(lua, 2);
    lua_rawseti(lua, 3, i);
  }
  return 1;
}

// find(list, value, [from]): the position of the value, or nil.
int table_find(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  luaL_checkany(lua, 2);
  lua_Integer position = opt_integer(lua, 3, 1);
  luaL_argcheck(lua, position >= 1, 3, "index out of range");
  lua_settop(lua, 2);
  push_contents(lua, 1);
  StepCounter steps(lua);
  for (int type = lua_rawgeti(lua, 3, position); type != LUA_TNIL;
       type = lua_rawgeti(lua, 3, ++position)) {
    steps.add(2 + (type == LUA_TSTRING ? steps_for_bytes(lua_rawlen(lua, -1)) : 0));
    if (lua_compare(lua, 2, -1, LUA_OPEQ) != 0) {
      lua_pushinteger(lua, position);
      return 1;
    }
    lua_pop(lua, 1);
    if (position == LUA_MAXINTEGER) break;
  }
  lua_pushnil(lua);
  return 1;
}

int table_freeze(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  lua_settop(lua, 1);
  freeze_table(lua, 1);
  return 1;
}

int table_isfrozen(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  lua_pushboolean(lua, is_frozen(lua, 1) ? 1 : 0);
  return 1;
}

}  // namespace heddle::script
