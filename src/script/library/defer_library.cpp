#include <lua.hpp>

#include "script/library/libraries.hpp"
#include "script/lua/lua_call.hpp"
#include "script/lua/vm.hpp"

namespace heddle::script {
namespace {

int defer(lua_State* lua) {
  if (lua_type(lua, 1) != LUA_TFUNCTION)
    return luaL_error(lua, "defer: callback must be a function (got %s)", luaL_typename(lua, 1));
  LuaCall* call = Vm::of(lua).running.call;
  if (call == nullptr) return luaL_error(lua, "defer: no call to run after");
  lua_settop(lua, 1);
  call->defers().add(lua);
  return 0;
}

}  // namespace

void open_defer(lua_State* lua) {
  lua_register(lua, "defer", defer);
}

}  // namespace heddle::script
