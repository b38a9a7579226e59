// heddle.assert_* and heddle.run_cycle for script tests; `spyweb` is another name for the table.
#include <string>

#include <lua.hpp>

#include "script/library/binding_arguments.hpp"
#include "script/library/compare.hpp"
#include "script/library/libraries.hpp"
#include "script/lua/interrupt.hpp"
#include "script/lua/stack.hpp"
#include "script/lua/to_text.hpp"
#include "script/lua/wait.hpp"

namespace heddle::script {
namespace {

// Raises "assert_eq: …" with the caller's line, and the author's message if any.
int fail(lua_State* lua, const char* assertion, const std::string& text, int message) {
  if (lua_isnoneornil(lua, message)) return luaL_error(lua, "%s: %s", assertion, text.c_str());
  const char* own = push_text_of(lua, message);
  return luaL_error(lua, "%s: %s: %s", assertion, own, text.c_str());
}

int assert_eq(lua_State* lua) {
  luaL_checkany(lua, 1);
  lua_settop(lua, 3);
  const std::string difference = first_difference(lua, 1, 2);
  if (difference.empty()) return 0;
  return fail(lua, "assert_eq", difference, 3);
}

int assert_ne(lua_State* lua) {
  luaL_checkany(lua, 1);
  lua_settop(lua, 3);
  if (!first_difference(lua, 1, 2).empty()) return 0;
  return fail(lua, "assert_ne", "both are " + short_text(lua, 1), 3);
}

// Whether the text at the index matches the pattern, with the sandbox's string.find.
bool matches(lua_State* lua, int text, int pattern) {
  text = lua_absindex(lua, text);
  pattern = lua_absindex(lua, pattern);
  lua_pushvalue(lua, lua_upvalueindex(1));
  lua_pushvalue(lua, text);
  lua_pushvalue(lua, pattern);
  lua_call(lua, 2, 1);
  const bool is_found = lua_toboolean(lua, -1) != 0;
  lua_pop(lua, 1);
  return is_found;
}

int assert_match(lua_State* lua) {
  const BindingArguments arguments(lua, "assert_match");
  lua_settop(lua, 3);
  if (lua_isstring(lua, 1) == 0) arguments.refuse(1, "text", "a string");
  if (lua_isstring(lua, 2) == 0) arguments.refuse(2, "pattern", "a string");
  if (matches(lua, 1, 2)) return 0;
  return fail(lua, "assert_match", short_text(lua, 1) + " does not match " + short_text(lua, 2), 3);
}

// [function, pattern, …, status of the call, error or results]
int finish_assert_error(lua_State* lua, int status, lua_KContext /*context*/) {
  if (status == LUA_OK || status == LUA_YIELD)
    return luaL_error(lua, "assert_error: the function raised no error");
  if (is_budget_exceeded(lua)) raise_budget_error(lua);
  lua_replace(lua, 3);
  lua_settop(lua, 3);
  if (lua_isnil(lua, 2)) {
    lua_pushvalue(lua, 3);
    return 1;
  }
  push_text_of(lua, 3);
  if (!matches(lua, 4, 2))
    return luaL_error(lua, "assert_error: the error %s does not match %s",
                      short_text(lua, 4).c_str(), short_text(lua, 2).c_str());
  lua_settop(lua, 3);
  return 1;
}

// assert_error(function, [pattern]) returns the error.
int assert_error(lua_State* lua) {
  const BindingArguments arguments(lua, "assert_error");
  if (lua_type(lua, 1) != LUA_TFUNCTION) arguments.refuse(1, "function", "a function");
  lua_settop(lua, 2);
  if (!lua_isnil(lua, 2) && lua_isstring(lua, 2) == 0) arguments.refuse(2, "pattern", "a string");
  lua_pushnil(lua);
  lua_pushvalue(lua, 1);
  const int status = lua_pcallk(lua, 0, 0, 0, 0, finish_assert_error);
  return finish_assert_error(lua, status, 0);
}

int run_cycle(lua_State* lua) {
  const BindingArguments arguments(lua, "heddle.run_cycle");
  CycleWant want;
  arguments.check_table(1, "options");
  want.options = read_value(lua, 1);
  return wait_for(lua, "heddle.run_cycle", std::move(want));
}

constexpr luaL_Reg kFunctions[] = {
    {"assert_eq", assert_eq},       {"assert_ne", assert_ne}, {"assert_match", assert_match},
    {"assert_error", assert_error}, {"run_cycle", run_cycle}, {nullptr, nullptr},
};

}  // namespace

void open_test(lua_State* lua) {
  luaL_newlibtable(lua, kFunctions);
  lua_getglobal(lua, "string");
  lua_getfield(lua, -1, "find");
  lua_remove(lua, -2);
  luaL_setfuncs(lua, kFunctions, 1);
  lua_pushvalue(lua, -1);
  lua_setglobal(lua, "heddle");
  lua_setglobal(lua, "spyweb");
}

}  // namespace heddle::script
