// tostring() for the sandbox: what luaL_tolstring gives, but never an address of the process.
#pragma once

#include <cstddef>

struct lua_State;

namespace heddle::script {

// Pushes the text of the value and returns it. Tables, functions and the like without a __tostring
// become "table: 0x00000001": a number of their own, the same for as long as they live. May call
// the script's __tostring.
const char* push_text_of(lua_State* lua, int index, std::size_t* size = nullptr);

}  // namespace heddle::script
