// Formats Lua values as compact JSON. Names are sorted, so that equal tables give equal text.
#pragma once

#include <string>

struct lua_State;

namespace heddle::script {

// How a table without elements is written, unless it is marked as a list.
enum class EmptyTable { object, list };

// Raises with the path ("$.items[3].title") for values that JSON cannot represent: functions, NaN,
// cycles, invalid UTF-8, lists with holes, tables with both positions and names; and for more than
// 10 MB. Reads tables raw: no metamethods run.
std::string to_json(lua_State* lua, int index, EmptyTable empty = EmptyTable::object);

}  // namespace heddle::script
