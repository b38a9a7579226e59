// Compiles the text of a script: Lua 5.4, or what stands for it when the text has syntax of Luau.
#pragma once

#include <string_view>

struct lua_State;

namespace heddle::script {

// Pushes the function, or the error message with Lua's form "file:line: …". Returns Lua's status. A
// text that Lua compiles is never translated.
int load_source(lua_State* lua, std::string_view text, const char* chunk_name);

}  // namespace heddle::script
