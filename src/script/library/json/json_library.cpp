#include <lua.hpp>

#include "script/library/json/json_limits.hpp"
#include "script/library/json/json_path_binding.hpp"
#include "script/library/json/json_reader.hpp"
#include "script/library/json/json_writer.hpp"
#include "script/library/libraries.hpp"
#include "script/lua/frozen_table.hpp"
#include "script/lua/stack.hpp"

namespace heddle::script {
namespace {

// json_encode(value, [empty_as_list])
int json_encode(lua_State* lua) {
  luaL_checkany(lua, 1);
  const std::string text =
      to_json(lua, 1, lua_toboolean(lua, 2) != 0 ? EmptyTable::list : EmptyTable::object);
  lua_pushlstring(lua, text.data(), text.size());
  return 1;
}

// value, or nil and a message
int json_decode(lua_State* lua) {
  std::size_t size = 0;
  const char* data = luaL_checklstring(lua, 1, &size);
  const std::string error =
      size > kMaxJsonBytes ? "the JSON text is larger than 10 MB" : push_json(lua, {data, size});
  if (error.empty()) return 1;
  luaL_pushfail(lua);
  lua_pushlstring(lua, error.data(), error.size());
  return 2;
}

// Marks a table, or a new one, as a list: it stays one in JSON even when empty.
int json_array(lua_State* lua) {
  if (lua_isnoneornil(lua, 1))
    lua_newtable(lua);
  else
    luaL_checktype(lua, 1, LUA_TTABLE);
  lua_settop(lua, 1);
  if (is_marked_as_array(lua, 1)) return 1;
  refuse_if_frozen(lua, 1);
  if (lua_getmetatable(lua, 1) != 0)
    return luaL_error(lua, "a table with a metatable cannot be marked as a list");
  mark_as_array(lua);
  return 1;
}

// An empty list that stays one. Frozen, because all scripts of a VM share it.
void add_empty_array(lua_State* lua) {
  lua_newtable(lua);
  mark_as_array(lua);
  freeze_table(lua, -1);
  lua_setglobal(lua, "JSON_EMPTY_ARRAY");
}

int null_to_text(lua_State* lua) {
  lua_pushliteral(lua, "null");
  return 1;
}

// json_null is the only light userdata in scripts, so the type's metatable is its own.
void give_null_its_name(lua_State* lua) {
  push_null(lua);
  lua_createtable(lua, 0, 3);
  lua_pushcfunction(lua, null_to_text);
  lua_setfield(lua, -2, "__tostring");
  lua_pushliteral(lua, "null");
  lua_setfield(lua, -2, "__name");
  lua_pushboolean(lua, 0);
  lua_setfield(lua, -2, "__metatable");
  lua_setmetatable(lua, -2);
  lua_setglobal(lua, "json_null");
}

}  // namespace

void open_json(lua_State* lua) {
  lua_register(lua, "json_encode", json_encode);
  lua_register(lua, "json_decode", json_decode);
  lua_register(lua, "json_array", json_array);
  lua_register(lua, "json_path", json_path);
  give_null_its_name(lua);
  add_empty_array(lua);
}

}  // namespace heddle::script
