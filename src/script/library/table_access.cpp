#include "script/library/table_access.hpp"

#include "script/lua/frozen_table.hpp"

namespace heddle::script {
namespace {

// Of the metatable on top of the stack.
bool has_field(lua_State* lua, const char* name) {
  lua_pushstring(lua, name);
  const bool is_there = lua_rawget(lua, -2) != LUA_TNIL;
  lua_pop(lua, 1);
  return is_there;
}

bool table_is_plain(lua_State* lua, int index) {
  if (lua_getmetatable(lua, index) == 0) return true;
  const bool is_plain = !has_field(lua, "__len");
  lua_pop(lua, 1);
  return is_plain;
}

bool behaves_like_table(lua_State* lua, int index, unsigned uses) {
  if (lua_getmetatable(lua, index) == 0) return false;
  const bool can = ((uses & kReads) == 0 || has_field(lua, "__index")) &&
                   ((uses & kWrites) == 0 || has_field(lua, "__newindex")) &&
                   ((uses & kMeasures) == 0 || has_field(lua, "__len"));
  lua_pop(lua, 1);
  return can;
}

}  // namespace

TableAccess::TableAccess(lua_State* lua, int index, unsigned uses)
    : lua_(lua),
      index_(index),
      is_plain_(lua_type(lua, index) == LUA_TTABLE && table_is_plain(lua, index)) {
  if (lua_type(lua, index) != LUA_TTABLE && !behaves_like_table(lua, index, uses))
    luaL_checktype(lua, index, LUA_TTABLE);
  if (!is_plain_ && (uses & kWrites) != 0) refuse_if_frozen(lua, index);
}

}  // namespace heddle::script
