#include "script/library/binding_arguments.hpp"

#include <cstdlib>

#include <fmt/format.h>

#include "script/marshal/fields.hpp"

namespace heddle::script {

std::string BindingArguments::text(int index, const char* name) const {
  if (lua_type(lua_, index) != LUA_TSTRING) refuse(index, name, "a string");
  if (lua_rawlen(lua_, index) == 0) luaL_error(lua_, "%s: %s is empty", binding_, name);
  return std::string(bytes_at(lua_, index));
}

std::string BindingArguments::content(int index, const char* name) const {
  if (lua_type(lua_, index) == LUA_TTABLE) refuse(index, name, "a string (json_encode makes one)");
  if (lua_isstring(lua_, index) == 0) refuse(index, name, "a string");
  return text_at(lua_, index);
}

double BindingArguments::number(int index, const char* name, double lowest, double highest) const {
  if (lua_type(lua_, index) != LUA_TNUMBER) refuse(index, name, "a number");
  const double number = lua_tonumber(lua_, index);
  if (!(number >= lowest && number <= highest)) {
    const std::string range = fmt::format("from {} to {}", lowest, highest);
    luaL_error(lua_, "%s: %s must be %s (got %f)", binding_, name, range.c_str(), number);
  }
  return number;
}

void BindingArguments::check_table(int index, const char* name) const {
  if (lua_type(lua_, index) != LUA_TTABLE) refuse(index, name, "a table");
}

void BindingArguments::refuse(int index, const char* name, const char* wanted) const {
  luaL_error(lua_, "%s: %s must be %s (got %s)", binding_, name, wanted,
             lua_isnone(lua_, index) ? "nothing" : luaL_typename(lua_, index));
  std::abort();  // luaL_error does not return
}

}  // namespace heddle::script
