// Any Lua value as text for people: one element a line, keys in order, no addresses. The same value
// always gives the same text.
#pragma once

#include <string>

struct lua_State;

namespace heddle::script {

// At most about 1 MB, then "<cut off>". Tables that contain themselves show "<cycle>"; a table with
// __pairs shows what that gives, up to 10,000 pairs. So it may call the script, and raise.
std::string to_dump(lua_State* lua, int index);

}  // namespace heddle::script
