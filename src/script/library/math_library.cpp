#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include <lua.hpp>

#include "script/library/integer_argument.hpp"
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

// The stock function behind a wrapper of the generator's functions. It finds the generator's state
// where its own closure has it: in the first upvalue.
lua_CFunction random_upvalue(lua_State* lua) {
  return lua_tocfunction(lua, lua_upvalueindex(2));
}

// Wraps a function of the generator: [math].
void wrap_random(lua_State* lua, const char* name, lua_CFunction wrapper) {
  lua_getfield(lua, -1, name);
  lua_getupvalue(lua, -1, 1);
  lua_insert(lua, -2);
  lua_pushcclosure(lua, wrapper, 2);
  lua_setfield(lua, -2, name);
}

// Numbers at the first two arguments, if any, without a fraction.
void truncate_two(lua_State* lua) {
  for (int i = 1; i <= 2; ++i) {
    if (lua_isnoneornil(lua, i)) continue;
    lua_pushinteger(lua, check_integer(lua, i));
    lua_replace(lua, i);
  }
}

// Without an argument the stock function seeds itself with an address, so it always gets one.
int math_randomseed(lua_State* lua) {
  if (lua_isnone(lua, 1)) push_fresh_seed(lua);
  truncate_two(lua);
  return random_upvalue(lua)(lua);
}

int math_random(lua_State* lua) {
  truncate_two(lua);
  return random_upvalue(lua)(lua);
}

// The rest of a division of integers by zero is NaN, as it is for floats.
int math_fmod(lua_State* lua) {
  const bool are_integers = lua_isinteger(lua, 1) != 0 && lua_isinteger(lua, 2) != 0;
  if (!are_integers || lua_tointeger(lua, 2) != 0) return stock_upvalue(lua)(lua);
  lua_pushnumber(lua, std::numeric_limits<lua_Number>::quiet_NaN());
  return 1;
}

// --- of Luau

// One of the arguments, so that integers stay integers.
int math_clamp(lua_State* lua) {
  const lua_Number number = luaL_checknumber(lua, 1);
  const lua_Number least = luaL_checknumber(lua, 2);
  const lua_Number most = luaL_checknumber(lua, 3);
  luaL_argcheck(lua, least <= most, 3, "max must be greater than or equal to min");
  lua_pushvalue(lua, number < least ? 2 : number > most ? 3 : 1);
  return 1;
}

// Halves away from zero.
int math_round(lua_State* lua) {
  if (lua_isinteger(lua, 1) != 0) {
    lua_settop(lua, 1);
    return 1;
  }
  const lua_Number rounded = std::round(luaL_checknumber(lua, 1));
  lua_Integer whole = 0;
  if (lua_numbertointeger(rounded, &whole))
    lua_pushinteger(lua, whole);
  else
    lua_pushnumber(lua, rounded);
  return 1;
}

int math_sign(lua_State* lua) {
  const lua_Number number = luaL_checknumber(lua, 1);
  lua_pushinteger(lua, number > 0 ? 1 : number < 0 ? -1 : 0);
  return 1;
}

constexpr luaL_Reg kLuau[] = {
    {"clamp", math_clamp}, {"round", math_round}, {"sign", math_sign}, {nullptr, nullptr}};

}  // namespace

// The generator's state is an upvalue of the stock functions: each VM has its own.
void open_math(lua_State* lua) {
  push_stock(lua, luaopen_math);
  lua_getfield(lua, -1, "randomseed");
  push_fresh_seed(lua);
  lua_call(lua, 2, 0);
  lua_pushvalue(lua, -1);  // the functions below replace those that they wrap
  copy_functions_truncating(lua, {"ult"}, 1, 2);
  copy_functions_truncating(lua, {"ldexp"}, 2, 2);
  wrap_function(lua, "fmod", math_fmod);
  wrap_random(lua, "randomseed", math_randomseed);
  wrap_random(lua, "random", math_random);
  luaL_setfuncs(lua, kLuau, 0);
  lua_setglobal(lua, "math");
}

}  // namespace heddle::script
