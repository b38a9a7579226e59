// Charges the work of C functions to the running call's budget, because Lua's count hook never
// fires inside them.
#pragma once

#include <cstdint>

struct lua_State;

namespace heddle::script {

// Reads the clock occasionally; raises an error that no pcall catches when the budget is used up.
void count_steps(lua_State* lua, std::uint64_t steps);

}  // namespace heddle::script
