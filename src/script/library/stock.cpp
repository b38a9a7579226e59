#include "script/library/stock.hpp"

#include <algorithm>

#include "script/library/integer_argument.hpp"
#include "script/lua/number_text.hpp"
#include "script/lua/step_counter.hpp"

namespace heddle::script {
namespace {

int count_argument(lua_State* lua) {
  write_whole_float(lua, 1);
  if (lua_type(lua, 1) == LUA_TSTRING) count_steps(lua, 1 + steps_for_bytes(lua_rawlen(lua, 1)));
  return stock_upvalue(lua)(lua);
}

int truncate_arguments(lua_State* lua) {
  const auto first = static_cast<int>(lua_tointeger(lua, lua_upvalueindex(2)));
  const auto last = static_cast<int>(lua_tointeger(lua, lua_upvalueindex(3)));
  for (int i = first; i <= std::min(last, lua_gettop(lua)); ++i) truncate_argument(lua, i);
  return stock_upvalue(lua)(lua);
}

}  // namespace

void push_stock(lua_State* lua, lua_CFunction open) {
  lua_pushcfunction(lua, open);
  lua_call(lua, 0, 1);
}

void copy_functions(lua_State* lua, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    lua_getfield(lua, -2, name);
    lua_setfield(lua, -2, name);
  }
}

void copy_functions_counting_argument(lua_State* lua, std::initializer_list<const char*> names) {
  for (const char* name : names) wrap_function(lua, name, count_argument);
}

void copy_functions_truncating(lua_State* lua, std::initializer_list<const char*> names, int first,
                               int last) {
  for (const char* name : names) {
    lua_getfield(lua, -2, name);
    lua_pushinteger(lua, first);
    lua_pushinteger(lua, last);
    lua_pushcclosure(lua, truncate_arguments, 3);
    lua_setfield(lua, -2, name);
  }
}

void wrap_function(lua_State* lua, const char* name, lua_CFunction wrapper) {
  lua_getfield(lua, -2, name);
  lua_pushcclosure(lua, wrapper, 1);
  lua_setfield(lua, -2, name);
}

}  // namespace heddle::script
