#include "script/marshal/push.hpp"

#include <lua.hpp>

namespace heddle::script {

void push_text(lua_State* lua, std::string_view text) {
  lua_pushlstring(lua, text.data(), text.size());
}

void set_text(lua_State* lua, const char* field, std::string_view text) {
  push_text(lua, text);
  lua_setfield(lua, -2, field);
}

void set_number(lua_State* lua, const char* field, double number) {
  lua_Integer whole = 0;
  if (lua_numbertointeger(number, &whole) && static_cast<double>(whole) == number)
    lua_pushinteger(lua, whole);
  else
    lua_pushnumber(lua, number);
  lua_setfield(lua, -2, field);
}

void set_flag(lua_State* lua, const char* field, bool flag) {
  lua_pushboolean(lua, flag ? 1 : 0);
  lua_setfield(lua, -2, field);
}

void push_headers(lua_State* lua, const Headers& headers) {
  lua_createtable(lua, 0, static_cast<int>(headers.size()));
  for (const auto& [name, value] : headers) {
    push_text(lua, name);
    push_text(lua, value);
    lua_rawset(lua, -3);
  }
}

}  // namespace heddle::script
