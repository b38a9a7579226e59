// JSON text straight onto the Lua stack. Strict (RFC 8259), except that a byte order mark at the
// start is passed over. Integers stay integers as long as 64 bits hold them.
#pragma once

#include <string>
#include <string_view>

struct lua_State;

namespace heddle::script {

// Pushes the value and returns "", or pushes nothing and says what is wrong "at line:column". The
// text must stay where it is meanwhile. Raises when memory or the budget runs out.
std::string push_json(lua_State* lua, std::string_view text);

}  // namespace heddle::script
