#include <cstdint>
#include <random>

#include <lua.hpp>

#include "script/library/libraries.hpp"
#include "script/library/stock.hpp"

namespace heddle::script {
namespace {

void push_fresh_seed(lua_State* lua) {
  std::random_device device;
  for (int half = 0; half < 2; ++half) {
    const auto high = static_cast<std::uint64_t>(device());
    lua_pushinteger(lua, static_cast<lua_Integer>(high << 32U | device()));
  }
}

// Without an argument the stock function seeds itself with an address, so it always gets one.
int math_randomseed(lua_State* lua) {
  if (lua_isnone(lua, 1)) {
    push_fresh_seed(lua);
  } else {
    luaL_checknumber(lua, 1);
    luaL_optinteger(lua, 2, 0);
  }
  lua_pushvalue(lua, lua_upvalueindex(1));
  lua_insert(lua, 1);
  lua_call(lua, lua_gettop(lua) - 1, LUA_MULTRET);
  return lua_gettop(lua);
}

}  // namespace

// The generator's state is an upvalue of the stock functions: each VM has its own.
void open_math(lua_State* lua) {
  push_stock(lua, luaopen_math);
  lua_getfield(lua, -1, "randomseed");
  lua_pushvalue(lua, -1);
  push_fresh_seed(lua);
  lua_call(lua, 2, 0);
  lua_pushcclosure(lua, math_randomseed, 1);
  lua_setfield(lua, -2, "randomseed");
  lua_setglobal(lua, "math");
}

}  // namespace heddle::script
