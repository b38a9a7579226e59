#include "script/lua/frozen_table.hpp"

#include <algorithm>
#include <climits>
#include <string_view>

#include <lua.hpp>

#include "script/lua/stack.hpp"
#include "script/lua/step_counter.hpp"

namespace heddle::script {
namespace {

// Only their addresses are used: keys in the metatable of a frozen table, which no script can
// create. One holds the contents, the other one the metatable that the table had.
constexpr char kContents = 'c';
constexpr char kOriginal = 'o';

constexpr const char* kRefusal = "attempt to modify a readonly table";

// Pushes the contents of a frozen table, else nothing.
bool push_hidden_contents(lua_State* lua, int index) {
  if (lua_getmetatable(lua, index) == 0) return false;
  if (lua_rawgetp(lua, -1, &kContents) == LUA_TTABLE) {
    lua_remove(lua, -2);
    return true;
  }
  lua_pop(lua, 2);
  return false;
}

int refuse_change(lua_State* lua) {
  return luaL_error(lua, "%s", kRefusal);
}

int length(lua_State* lua) {
  push_contents(lua, 1);
  lua_pushinteger(lua, static_cast<lua_Integer>(lua_rawlen(lua, -1)));
  return 1;
}

int start_pairs(lua_State* lua) {
  lua_pushcfunction(lua, next_element);
  lua_pushvalue(lua, 1);
  lua_pushnil(lua);
  return 3;
}

int finish_index(lua_State* /*lua*/, int /*status*/, lua_KContext /*context*/) {
  return 1;
}

// __index of a frozen table whose metatable had one; upvalues: contents, that metatable.
int find_element(lua_State* lua) {
  lua_settop(lua, 2);
  lua_pushvalue(lua, 2);
  if (lua_rawget(lua, lua_upvalueindex(1)) != LUA_TNIL) return 1;
  lua_pushliteral(lua, "__index");
  if (lua_rawget(lua, lua_upvalueindex(2)) == LUA_TNIL) return 1;
  if (lua_type(lua, -1) == LUA_TFUNCTION) {
    lua_insert(lua, 1);
    lua_settop(lua, 3);
    lua_callk(lua, 2, 1, 0, finish_index);
    return finish_index(lua, LUA_OK, 0);
  }
  lua_pushvalue(lua, 2);
  lua_gettable(lua, -2);
  return 1;
}

bool is_text_key(lua_State* lua, int index, std::string_view prefix) {
  if (lua_type(lua, index) != LUA_TSTRING) return false;
  std::size_t size = 0;
  const char* text = lua_tolstring(lua, index, &size);
  return std::string_view(text, size).starts_with(prefix);
}

bool is_globals(lua_State* lua, int index) {
  lua_pushglobaltable(lua);
  const bool is_same = lua_rawequal(lua, -1, index) != 0;
  lua_pop(lua, 1);
  return is_same;
}

void check_can_be_frozen(lua_State* lua, int index) {
  luaL_argcheck(lua, !is_frozen(lua, index), index, "table is already frozen");
  luaL_argcheck(lua, !is_globals(lua, index), index, "the globals cannot be frozen");
  const bool is_protected = luaL_getmetafield(lua, index, "__metatable") != LUA_TNIL;
  luaL_argcheck(lua, !is_protected || is_marked_as_array(lua, index), index,
                "table has a protected metatable");
  if (is_protected) lua_pop(lua, 1);
}

// Pushes a table with the same elements.
void push_copy(lua_State* lua, int index) {
  const auto length = std::min<lua_Unsigned>(lua_rawlen(lua, index), INT_MAX);
  lua_createtable(lua, static_cast<int>(length), 0);
  const int copy = lua_gettop(lua);
  StepCounter steps(lua);
  for (lua_pushnil(lua); lua_next(lua, index) != 0;) {
    steps.add(4);
    lua_pushvalue(lua, -2);
    lua_insert(lua, -2);
    lua_rawset(lua, copy);
  }
}

// Removes all elements but metamethods. Allocates nothing.
void clear_elements(lua_State* lua, int index) {
  for (lua_pushnil(lua); lua_next(lua, index) != 0;) {
    lua_pop(lua, 1);
    if (is_text_key(lua, -1, "__")) continue;
    lua_pushvalue(lua, -1);
    lua_pushnil(lua);
    lua_rawset(lua, index);
  }
}

void set_default(lua_State* lua, int table, const char* name, lua_CFunction function) {
  lua_pushstring(lua, name);
  const bool is_there = lua_rawget(lua, table) != LUA_TNIL;
  lua_pop(lua, 1);
  if (is_there) return;
  lua_pushcfunction(lua, function);
  lua_setfield(lua, table, name);
}

void set_function(lua_State* lua, int table, const char* name, lua_CFunction function) {
  lua_pushcfunction(lua, function);
  lua_setfield(lua, table, name);
}

// The only protected metatable that a frozen table may have; it finds no further elements.
bool is_array_mark(lua_State* lua, int metatable) {
  lua_pushliteral(lua, "__metatable");
  const bool is_protected = lua_rawget(lua, metatable) != LUA_TNIL;
  lua_pop(lua, 1);
  return is_protected;
}

// Pushes a metatable with the metamethods of the original one, if any, but no finalizer.
void push_frozen_metatable(lua_State* lua, int contents, int original) {
  lua_createtable(lua, 0, 8);
  const int metatable = lua_gettop(lua);
  const bool has_original = lua_istable(lua, original);
  if (has_original) {
    for (lua_pushnil(lua); lua_next(lua, original) != 0;) {
      lua_pushvalue(lua, -2);
      lua_insert(lua, -2);
      lua_rawset(lua, metatable);
    }
    lua_pushvalue(lua, original);
    lua_rawsetp(lua, metatable, &kOriginal);
    lua_pushnil(lua);
    lua_setfield(lua, metatable, "__gc");
  }
  lua_pushvalue(lua, contents);
  lua_rawsetp(lua, metatable, &kContents);
  lua_pushvalue(lua, contents);
  if (has_original && !is_array_mark(lua, original)) {
    lua_pushvalue(lua, original);
    lua_pushcclosure(lua, find_element, 2);
  }
  lua_setfield(lua, metatable, "__index");
  set_function(lua, metatable, "__newindex", refuse_change);
  set_default(lua, metatable, "__len", length);
  set_default(lua, metatable, "__pairs", start_pairs);
  lua_pushboolean(lua, 0);
  lua_setfield(lua, metatable, "__metatable");
}

}  // namespace

// A lack of memory leaves the table as it was: what allocates comes first.
void freeze_table(lua_State* lua, int index) {
  index = lua_absindex(lua, index);
  check_can_be_frozen(lua, index);
  luaL_checkstack(lua, 12, "too many values");
  const int top = lua_gettop(lua);
  push_copy(lua, index);
  if (lua_getmetatable(lua, index) == 0) lua_pushnil(lua);
  push_frozen_metatable(lua, top + 1, top + 2);
  clear_elements(lua, index);
  lua_setmetatable(lua, index);
  lua_settop(lua, top);
}

bool is_frozen(lua_State* lua, int index) {
  if (!push_hidden_contents(lua, index)) return false;
  lua_pop(lua, 1);
  return true;
}

void refuse_if_frozen(lua_State* lua, int index) {
  if (is_frozen(lua, index)) luaL_error(lua, "%s", kRefusal);
}

void push_contents(lua_State* lua, int index) {
  if (!push_hidden_contents(lua, index)) lua_pushvalue(lua, index);
}

void replace_by_contents(lua_State* lua, int index) {
  if (lua_type(lua, index) != LUA_TTABLE) return;
  index = lua_absindex(lua, index);
  if (push_hidden_contents(lua, index)) lua_replace(lua, index);
}

bool push_metatable(lua_State* lua, int index) {
  if (lua_getmetatable(lua, index) == 0) return false;
  const bool is_frozen = lua_rawgetp(lua, -1, &kContents) == LUA_TTABLE;
  lua_pop(lua, 1);
  if (!is_frozen) return true;
  const bool has_original = lua_rawgetp(lua, -1, &kOriginal) == LUA_TTABLE;
  lua_remove(lua, -2);
  if (!has_original) lua_pop(lua, 1);
  return has_original;
}

int next_element(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  lua_settop(lua, 2);
  if (push_hidden_contents(lua, 1)) lua_replace(lua, 1);
  if (lua_next(lua, 1) != 0) return 2;
  lua_pushnil(lua);
  return 1;
}

namespace {

int finish_pairs(lua_State* /*lua*/, int /*status*/, lua_KContext /*context*/) {
  return 3;
}

}  // namespace

int iterate_pairs(lua_State* lua) {
  luaL_checkany(lua, 1);
  if (luaL_getmetafield(lua, 1, "__pairs") == LUA_TNIL) {
    lua_settop(lua, 1);
    return start_pairs(lua);
  }
  lua_pushvalue(lua, 1);
  lua_callk(lua, 1, 3, 0, finish_pairs);
  return 3;
}

}  // namespace heddle::script
