// Implements string.format, pack and unpack on the stock functions, which are their first upvalue.
// Arguments are first made what the stock functions accept.
#pragma once

struct lua_State;

namespace heddle::script {

int string_format(lua_State* lua);
int string_pack(lua_State* lua);
int string_unpack(lua_State* lua);

}  // namespace heddle::script
