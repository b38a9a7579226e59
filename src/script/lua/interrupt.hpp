// Interrupts a running script with a count hook: to end its slice, or the call.
#pragma once

struct lua_State;

namespace heddle::script {

// Threads created from this one inherit it.
void install_interrupt(lua_State* main);

// Checks the budget at the thread's next instruction.
void interrupt_soon(lua_State* thread);
// Restores the normal check interval, which a terminated call leaves shortened.
void restore_interrupt_interval(lua_State* thread);

// Whether the engine can suspend the running code here: no C function in any of the coroutines
// prevents the yield.
bool can_yield(lua_State* lua);

// Whether the running call has exceeded its budget. Code that catches errors must raise again.
bool is_budget_exceeded(lua_State* lua);
[[noreturn]] void raise_budget_error(lua_State* lua);

}  // namespace heddle::script
