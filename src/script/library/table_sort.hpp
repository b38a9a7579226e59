// Implements table.sort as a merge sort: stable, and safe with inconsistent comparison functions.
#pragma once

struct lua_State;

namespace heddle::script {

int table_sort(lua_State* lua);  // a lua_CFunction: (table [, less])

}  // namespace heddle::script
