#include "script/lua/to_text.hpp"

#include <cstdio>

#include <lua.hpp>

#include "script/lua/number_text.hpp"
#include "script/lua/stack.hpp"

namespace heddle::script {
namespace {

constexpr char kNumbers = 'n';  // its address is the registry key

// Pushes the table of object numbers: weak keys, so that it keeps no object alive.
void push_numbers(lua_State* lua) {
  if (lua_rawgetp(lua, LUA_REGISTRYINDEX, &kNumbers) == LUA_TTABLE) return;
  lua_pop(lua, 1);
  lua_newtable(lua);
  lua_createtable(lua, 0, 1);
  lua_pushliteral(lua, "k");
  lua_setfield(lua, -2, "__mode");
  lua_setmetatable(lua, -2);
  lua_pushvalue(lua, -1);
  lua_rawsetp(lua, LUA_REGISTRYINDEX, &kNumbers);
}

// Key 1 holds the last number assigned; objects are never numbers.
lua_Integer number_of(lua_State* lua, int index) {
  push_numbers(lua);
  lua_pushvalue(lua, index);
  if (lua_rawget(lua, -2) == LUA_TNUMBER) {
    const lua_Integer known = lua_tointeger(lua, -1);
    lua_pop(lua, 2);
    return known;
  }
  lua_pop(lua, 1);
  lua_rawgeti(lua, -1, 1);
  const lua_Integer number = lua_tointeger(lua, -1) + 1;
  lua_pop(lua, 1);
  lua_pushinteger(lua, number);
  lua_rawseti(lua, -2, 1);
  lua_pushvalue(lua, index);
  lua_pushinteger(lua, number);
  lua_rawset(lua, -3);
  lua_pop(lua, 1);
  return number;
}

void push_name_and_number(lua_State* lua, int index) {
  char digits[24];
  std::snprintf(digits, sizeof digits, "0x%08llx",
                static_cast<unsigned long long>(number_of(lua, index)));
  const int kind = luaL_getmetafield(lua, index, "__name");
  const char* name = kind == LUA_TSTRING ? lua_tostring(lua, -1) : luaL_typename(lua, index);
  lua_pushfstring(lua, "%s: %s", name, digits);
  if (kind != LUA_TNIL) lua_remove(lua, -2);
}

}  // namespace

const char* push_text_of(lua_State* lua, int index, std::size_t* size) {
  index = lua_absindex(lua, index);
  luaL_checkstack(lua, 8, "too many values");
  const int type = lua_type(lua, index);
  if (type == LUA_TNUMBER) return push_number_text(lua, index, size);
  if (type == LUA_TSTRING || type == LUA_TBOOLEAN || type == LUA_TNIL)
    return luaL_tolstring(lua, index, size);
  if (is_null(lua, index)) {
    lua_pushliteral(lua, "null");
  } else if (luaL_callmeta(lua, index, "__tostring") != 0) {
    if (lua_isstring(lua, -1) == 0) luaL_error(lua, "'__tostring' must return a string");
  } else {
    push_name_and_number(lua, index);
  }
  return lua_tolstring(lua, -1, size);
}

}  // namespace heddle::script
