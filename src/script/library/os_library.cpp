#include <lua.hpp>

#include "script/library/libraries.hpp"
#include "script/library/stock.hpp"

namespace heddle::script {
namespace {

// Every conversion of a format may produce a few hundred uncounted bytes.
constexpr std::size_t kMaxDateFormat = 1'000;

int os_date(lua_State* lua) {
  std::size_t size = 0;
  luaL_optlstring(lua, 1, "%c", &size);
  luaL_argcheck(lua, size <= kMaxDateFormat, 1, "format longer than 1000 bytes");
  return stock_upvalue(lua)(lua);
}

}  // namespace

void open_os(lua_State* lua) {
  push_stock(lua, luaopen_os);
  lua_createtable(lua, 0, 4);
  copy_functions(lua, {"time", "clock", "difftime"});
  lua_getfield(lua, -2, "date");
  lua_pushcclosure(lua, os_date, 1);
  lua_setfield(lua, -2, "date");
  lua_setglobal(lua, "os");
  lua_pop(lua, 1);
}

}  // namespace heddle::script
