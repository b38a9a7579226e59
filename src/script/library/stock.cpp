#include "script/library/stock.hpp"

#include "script/lua/step_counter.hpp"

namespace heddle::script {
namespace {

int count_argument(lua_State* lua) {
  if (lua_type(lua, 1) == LUA_TSTRING) count_steps(lua, 1 + steps_for_bytes(lua_rawlen(lua, 1)));
  return stock_upvalue(lua)(lua);
}

int count_result(lua_State* lua) {
  const int results = stock_upvalue(lua)(lua);
  if (results > 0 && lua_type(lua, -1) == LUA_TSTRING)
    count_steps(lua, 1 + steps_for_bytes(lua_rawlen(lua, -1)));
  return results;
}

void take_over_wrapped(lua_State* lua, std::initializer_list<const char*> names,
                       lua_CFunction wrapper) {
  for (const char* name : names) {
    lua_getfield(lua, -2, name);
    lua_pushcclosure(lua, wrapper, 1);
    lua_setfield(lua, -2, name);
  }
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
  take_over_wrapped(lua, names, count_argument);
}

void copy_functions_counting_result(lua_State* lua, std::initializer_list<const char*> names) {
  take_over_wrapped(lua, names, count_result);
}

}  // namespace heddle::script
