// Lua's basic functions without ways out of the sandbox: text-only load, no files, no finalizers,
// no addresses, and no way to catch the error that terminates a call over its budget.
#include <lua.hpp>

#include "script/library/collect_garbage.hpp"
#include "script/library/libraries.hpp"
#include "script/library/load_function.hpp"
#include "script/library/stock.hpp"
#include "script/lua/frozen_table.hpp"
#include "script/lua/guarded_table.hpp"
#include "script/lua/interrupt.hpp"
#include "script/lua/iterate.hpp"
#include "script/lua/to_text.hpp"

namespace heddle::script {
namespace {

// All values above index `below` are results; false and the error when the call failed.
int finish_protected(lua_State* lua, int status, lua_KContext below) {
  if (status != LUA_OK && status != LUA_YIELD) {
    if (is_budget_exceeded(lua)) raise_budget_error(lua);
    lua_pushboolean(lua, 0);
    lua_pushvalue(lua, -2);
    return 2;
  }
  return lua_gettop(lua) - static_cast<int>(below);
}

int base_pcall(lua_State* lua) {
  luaL_checkany(lua, 1);
  lua_pushboolean(lua, 1);
  lua_insert(lua, 1);
  const int status = lua_pcallk(lua, lua_gettop(lua) - 2, LUA_MULTRET, 0, 0, finish_protected);
  return finish_protected(lua, status, 0);
}

// The script's handler is not called for a budget error, which must not be delayed.
int handle_error(lua_State* lua) {
  lua_settop(lua, 1);
  if (is_budget_exceeded(lua)) return 1;
  lua_pushvalue(lua, lua_upvalueindex(1));
  lua_insert(lua, 1);
  lua_call(lua, 1, 1);
  return 1;
}

int base_xpcall(lua_State* lua) {
  const int arguments = lua_gettop(lua) - 2;
  luaL_checktype(lua, 2, LUA_TFUNCTION);
  lua_pushvalue(lua, 2);
  lua_pushcclosure(lua, handle_error, 1);
  lua_replace(lua, 2);
  lua_pushboolean(lua, 1);
  lua_pushvalue(lua, 1);
  lua_rotate(lua, 3, 2);  // function, handler, true, function, arguments
  const int status = lua_pcallk(lua, arguments, LUA_MULTRET, 2, 2, finish_protected);
  return finish_protected(lua, status, 2);
}

int base_tostring(lua_State* lua) {
  luaL_checkany(lua, 1);
  push_text_of(lua, 1);
  return 1;
}

bool has_raw_field(lua_State* lua, int table, const char* name) {
  lua_pushstring(lua, name);
  const bool is_there = lua_rawget(lua, table) != LUA_TNIL;
  lua_pop(lua, 1);
  return is_there;
}

int base_setmetatable(lua_State* lua) {
  const int type = lua_type(lua, 2);
  luaL_checktype(lua, 1, LUA_TTABLE);
  luaL_argexpected(lua, type == LUA_TNIL || type == LUA_TTABLE, 2, "nil or table");
  refuse_if_frozen(lua, 1);
  if (luaL_getmetafield(lua, 1, "__metatable") != LUA_TNIL)
    return luaL_error(lua, "cannot change a protected metatable");
  // A finalizer cannot be interrupted.
  if (type == LUA_TTABLE && has_raw_field(lua, 2, "__gc"))
    return luaL_error(
        lua, "setmetatable: __gc is not available here; use defer() or a <close> variable");
  lua_settop(lua, 2);
  lua_setmetatable(lua, 1);
  return 1;
}

int base_rawset(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  luaL_checkany(lua, 2);
  luaL_checkany(lua, 3);
  lua_settop(lua, 3);
  refuse_if_guarded(lua, 1, "rawset");
  refuse_if_frozen(lua, 1);
  lua_rawset(lua, 1);
  return 1;
}

int base_rawget(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  luaL_checkany(lua, 2);
  lua_settop(lua, 2);
  replace_by_contents(lua, 1);
  lua_rawget(lua, 1);
  return 1;
}

int base_rawlen(lua_State* lua) {
  const int type = lua_type(lua, 1);
  luaL_argexpected(lua, type == LUA_TTABLE || type == LUA_TSTRING, 1, "table or string");
  replace_by_contents(lua, 1);
  lua_pushinteger(lua, static_cast<lua_Integer>(lua_rawlen(lua, 1)));
  return 1;
}

int base_getmetatable(lua_State* lua) {
  luaL_checkany(lua, 1);
  if (!push_metatable(lua, 1)) {
    lua_pushnil(lua);
    return 1;
  }
  lua_pushliteral(lua, "__metatable");
  if (lua_rawget(lua, -2) == LUA_TNIL) lua_pop(lua, 1);
  return 1;
}

// Kilobytes of the VM, as Luau has it.
int base_gcinfo(lua_State* lua) {
  lua_pushinteger(lua, lua_gc(lua, LUA_GCCOUNT));
  return 1;
}

// These are safe unchanged; `ipairs`, `next` and `pairs` iterate in the interpreter, one
// instruction per step.
constexpr std::initializer_list<const char*> kStock = {"assert", "ipairs", "rawequal", "type"};

constexpr luaL_Reg kOurs[] = {
    {"pcall", base_pcall},
    {"xpcall", base_xpcall},
    {"tostring", base_tostring},
    {"getmetatable", base_getmetatable},
    {"setmetatable", base_setmetatable},
    {"rawget", base_rawget},
    {"rawset", base_rawset},
    {"rawlen", base_rawlen},
    {"next", next_element},
    {"pairs", iterate_pairs},
    {"collectgarbage", collect_garbage},
    {"gcinfo", base_gcinfo},
    {"load", base_load},
    {nullptr, nullptr},
};

}  // namespace

void open_base(lua_State* lua) {
  push_stock(lua, luaopen_base);
  const int globals = lua_gettop(lua);
  lua_newtable(lua);
  copy_functions(lua, kStock);
  copy_functions_truncating(lua, {"select"}, 1, 1);
  copy_functions_truncating(lua, {"error", "tonumber"}, 2, 2);
  clear_table(lua, globals);  // luaopen_base fills the real global table
  copy_pairs(lua, globals + 1, globals);
  lua_pushvalue(lua, globals);
  luaL_setfuncs(lua, kOurs, 0);
  lua_pushvalue(lua, globals);
  lua_setfield(lua, globals, "_G");
  lua_getfield(lua, globals, "type");
  lua_setfield(lua, globals, "typeof");  // of Luau; the same for all values that scripts can have
  lua_pushliteral(lua, LUA_VERSION);
  lua_setfield(lua, globals, "_VERSION");
}

}  // namespace heddle::script
