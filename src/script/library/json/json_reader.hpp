// Parses JSON text directly onto the Lua stack. Strict (RFC 8259), except that it skips a byte
// order mark. Integers that fit into 64 bits stay integers.
#pragma once

#include <string>
#include <string_view>

struct lua_State;

namespace heddle::script {

// Pushes the value and returns "", or pushes nothing and returns the error with "at line:column".
// Raises when memory or the budget runs out.
std::string push_json(lua_State* lua, std::string_view text);

}  // namespace heddle::script
