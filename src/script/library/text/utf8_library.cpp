#include <climits>

#include <lua.hpp>

#include "script/library/integer_argument.hpp"
#include "script/library/libraries.hpp"
#include "script/library/stock.hpp"
#include "script/lua/step_counter.hpp"

namespace heddle::script {
namespace {

// (text, integer, integer)
int count_and_truncate(lua_State* lua) {
  if (lua_type(lua, 1) == LUA_TSTRING) count_steps(lua, 1 + steps_for_bytes(lua_rawlen(lua, 1)));
  truncate_argument(lua, 2);
  truncate_argument(lua, 3);
  return stock_upvalue(lua)(lua);
}

}  // namespace

void open_utf8(lua_State* lua) {
  push_stock(lua, luaopen_utf8);
  lua_createtable(lua, 0, 6);
  copy_functions(lua, {"charpattern", "codes"});
  copy_functions_truncating(lua, {"char"}, 1, INT_MAX);
  for (const char* name : {"codepoint", "len", "offset"})
    wrap_function(lua, name, count_and_truncate);
  lua_setglobal(lua, "utf8");
  lua_pop(lua, 1);
}

}  // namespace heddle::script
