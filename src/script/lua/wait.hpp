// How a binding asks the engine for something and waits for the answer.
#pragma once

#include "script/want.hpp"

struct lua_State;

namespace heddle::script {

// Suspends the script, through all coroutines around it, and never returns to the binding: the
// answer becomes the binding's results. Raises where the script cannot be suspended.
// Use as `return wait_for(…)`. The binding's name must live as long as the program.
int wait_for(lua_State* lua, const char* binding, Want want);

// The same, for bindings that go on by themselves when the answer is there: `then` is a Lua
// continuation, and takes the answer with Vm::of(lua).running.call->take_answer().
using Continuation = int (*)(lua_State*, int, std::intptr_t);
int wait_then(lua_State* lua, const char* binding, Want want, Continuation then);

}  // namespace heddle::script
