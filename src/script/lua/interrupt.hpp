// Stops a running script from the inside: for a slice, or for good when its budget is used up.
#pragma once

struct lua_State;

namespace heddle::script {

// Threads made from this one inherit it.
void install_interrupt(lua_State* main);

// Looks at the budget at the very next instruction of the thread.
void interrupt_soon(lua_State* thread);
// Back to the usual pace, which a cut call does not leave behind.
void restore_pace(lua_State* thread);

// Whether the engine may suspend the running code here: no C function that cannot be left stands in
// between, in none of the coroutines.
bool can_pause(lua_State* lua);

// Whether the running call has been cut. Whoever catches errors asks, and raises again.
bool is_cut(lua_State* lua);
[[noreturn]] void raise_cut(lua_State* lua);

}  // namespace heddle::script
