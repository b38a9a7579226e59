// Formats any Lua value as readable text: one element per line, sorted keys, no addresses. Equal
// values give equal text.
#pragma once

#include <string>

struct lua_State;

namespace heddle::script {

// At most about 1 MB, then "<cut off>". Tables that contain themselves show "<cycle>"; a table with
// __pairs shows its pairs, up to 10,000, so this may call the script, and raise.
std::string to_dump(lua_State* lua, int index);

}  // namespace heddle::script
