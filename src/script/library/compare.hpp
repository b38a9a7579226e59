// Compares Lua values deeply, bypassing metamethods. May raise.
#pragma once

#include <string>

struct lua_State;

namespace heddle::script {

// Empty when both are equal, else the first difference:
// "items[2].price: \"12\" (string) is not 12 (number)".
std::string first_difference(lua_State* lua, int left, int right);

// A value on one short line, strings in quotes.
std::string short_text(lua_State* lua, int index);

}  // namespace heddle::script
