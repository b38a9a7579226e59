// Builds the ctx table: plain fields, and computed or guarded ones through its metatable.
#pragma once

struct lua_State;

namespace heddle::script {

class CycleContext;

// Pushes a ctx table for the cycle. The context must wipe it before it ends. May raise.
void push_new_context_table(lua_State* lua, const CycleContext& context);
// Empties the table, also for a script that has kept it. May raise.
void wipe_context_table(lua_State* lua, int index);

}  // namespace heddle::script
