// Values to and from the Lua stack. All of these may raise a Lua error (memory), so they run inside
// a protected call only.
#pragma once

#include "script/value.hpp"

struct lua_State;

namespace heddle::script {

void push_value(lua_State* lua, const Value& value);
// Raises for functions, userdata, threads, cycles and more than 100 levels.
Value read_value(lua_State* lua, int index);

// Marks the table on top of the stack as an array, so that an empty one stays one through JSON.
void mark_as_array(lua_State* lua);
bool is_marked_as_array(lua_State* lua, int index);

void push_null(lua_State* lua);  // json_null, the same value in every VM
bool is_null(lua_State* lua, int index);

}  // namespace heddle::script
