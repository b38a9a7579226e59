// tostring() for the sandbox: like luaL_tolstring, but never shows a memory address and writes
// numbers as Luau does.
#pragma once

#include <cstddef>

struct lua_State;

namespace heddle::script {

// Pushes the text of the value and returns it. Tables, functions and the like without a __tostring
// become "table: 0x00000001", with a serial number that stays the same for the object. May call the
// script's __tostring.
const char* push_text_of(lua_State* lua, int index, std::size_t* size = nullptr);

}  // namespace heddle::script
