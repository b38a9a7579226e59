#include "script/lua/guarded_table.hpp"

#include <lua.hpp>

namespace heddle::script {
namespace {

constexpr char kRefusal =
    'r';  // its address is the key in the metatable, which no script can create

}  // namespace

void set_guarded_metatable(lua_State* lua, const char* refusal) {
  lua_pushstring(lua, refusal);
  lua_rawsetp(lua, -2, &kRefusal);
  lua_setmetatable(lua, -2);
}

void refuse_if_guarded(lua_State* lua, int table, const char* function) {
  if (lua_getmetatable(lua, table) == 0) return;
  if (lua_rawgetp(lua, -1, &kRefusal) == LUA_TSTRING)
    luaL_error(lua, "%s: %s", function, lua_tostring(lua, -1));
  lua_pop(lua, 2);
}

}  // namespace heddle::script
