// table.sort: a merge sort. Stable, and safe with comparison functions that contradict themselves.
#pragma once

struct lua_State;

namespace heddle::script {

int table_sort(lua_State* lua);  // a lua_CFunction: (table [, less])

}  // namespace heddle::script
