// Implements load(): text only, of limited size.
#pragma once

#include <string_view>

struct lua_State;

namespace heddle::script {

int base_load(lua_State* lua);

// Compiles a text, which may have syntax of Luau, and pushes the function or the error message.
// Returns Lua's status.
int load_text(lua_State* lua, std::string_view text, const char* chunk_name);

}  // namespace heddle::script
