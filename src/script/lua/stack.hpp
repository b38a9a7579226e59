// Moves values to and from the Lua stack. All functions may raise a Lua error (memory), so call
// them in protected mode only.
#pragma once

#include "script/script_value.hpp"

struct lua_State;

namespace heddle::script {

void push_value(lua_State* lua, const ScriptValue& value);
// Raises for functions, userdata, threads, cycles and more than 100 levels.
ScriptValue read_value(lua_State* lua, int index);

// Marks the table on top of the stack as an array, so that an empty one stays one through JSON.
void mark_as_array(lua_State* lua);
bool is_marked_as_array(lua_State* lua, int index);

void push_null(lua_State* lua);  // json_null, the same value in every VM
bool is_null(lua_State* lua, int index);

}  // namespace heddle::script
