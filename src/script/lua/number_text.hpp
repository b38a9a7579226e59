// Numbers as text, as Luau writes those without a fraction: 10 / 2 is "5" and not "5.0".
#pragma once

#include <cstddef>

struct lua_State;

namespace heddle::script {

// Pushes the text of the number at the index and returns it.
const char* push_number_text(lua_State* lua, int index, std::size_t* size = nullptr);

// Makes a float without a fraction at the index a string, in place: Lua would write it with ".0".
// Other values stay.
void write_whole_float(lua_State* lua, int index);

}  // namespace heddle::script
