#include <lua.hpp>

#include "script/library/libraries.hpp"
#include "script/library/stock.hpp"

namespace heddle::script {

void open_utf8(lua_State* lua) {
  push_stock(lua, luaopen_utf8);
  lua_createtable(lua, 0, 6);
  copy_functions(lua, {"char", "charpattern", "codes"});
  copy_functions_counting_argument(lua, {"codepoint", "len", "offset"});
  lua_setglobal(lua, "utf8");
  lua_pop(lua, 1);
}

}  // namespace heddle::script
