// Suspends a script until the engine has answered a binding's want.
#pragma once

#include "script/want.hpp"

struct lua_State;

namespace heddle::script {

// Suspends the script through all its coroutines and never returns to the binding: the answer
// becomes the binding's results. Raises where the script cannot be suspended. Use as `return
// wait_for(…)`. The binding's name must be static.
int wait_for(lua_State* lua, const char* binding, Want want);

// The same for bindings that process the answer: `then` is a Lua continuation, which gets it with
// Vm::of(lua).running.call->take_answer().
using Continuation = int (*)(lua_State*, int, std::intptr_t);
int wait_then(lua_State* lua, const char* binding, Want want, Continuation then);

}  // namespace heddle::script
