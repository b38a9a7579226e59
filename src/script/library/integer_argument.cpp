#include "script/library/integer_argument.hpp"

#include <cmath>

namespace heddle::script {
namespace {

void refuse(lua_State* lua, int argument, const char* problem) {
  lua_pushfstring(lua, "an integer is needed, got %s", problem);
  luaL_argerror(lua, argument, lua_tostring(lua, -1));
}

}  // namespace

lua_Number check_finite(lua_State* lua, int argument) {
  const lua_Number number = luaL_checknumber(lua, argument);
  if (!std::isfinite(number))
    refuse(lua, argument, std::isnan(number) ? "NaN" : "an infinite number");
  return number;
}

lua_Integer check_integer(lua_State* lua, int argument) {
  int is_integer = 0;
  const lua_Integer integer = lua_tointegerx(lua, argument, &is_integer);
  if (is_integer != 0) return integer;
  lua_Integer whole = 0;
  if (!lua_numbertointeger(std::trunc(check_finite(lua, argument)), &whole))
    refuse(lua, argument, "a number beyond 64 bits");
  return whole;
}

lua_Integer opt_integer(lua_State* lua, int argument, lua_Integer otherwise) {
  return lua_isnoneornil(lua, argument) ? otherwise : check_integer(lua, argument);
}

void truncate_argument(lua_State* lua, int argument) {
  if (lua_isinteger(lua, argument) != 0 || lua_isnumber(lua, argument) == 0) return;
  lua_pushinteger(lua, check_integer(lua, argument));
  lua_replace(lua, argument);
}

}  // namespace heddle::script
