// The ctx table itself: plain fields, and what is computed or guarded through its metatable.
#pragma once

struct lua_State;

namespace heddle::script {

class CycleContext;

// Pushes a ctx for the cycle, which outlives what the table gives, or wipes it. May raise.
void push_new_context_table(lua_State* lua, const CycleContext& context);
// Empties the table; a script that kept it finds nothing any more. May raise.
void wipe_context_table(lua_State* lua, int index);

}  // namespace heddle::script
