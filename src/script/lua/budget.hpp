// How long the running call may go on. C functions that loop count their steps here, because Lua's
// own count hook never fires inside them.
#pragma once

#include <cstdint>

struct lua_State;

namespace heddle::script {

// A C function's place to count work. Reads the clock now and then; raises the error that no pcall
// catches when the CPU budget is used up.
void count_steps(lua_State* lua, std::uint64_t steps);

}  // namespace heddle::script
