// Lua values as compact JSON. Names are sorted, so that equal tables give equal texts.
#pragma once

#include <string>

struct lua_State;

namespace heddle::script {

// Raises, naming the place ("$.items[3].title"), for what JSON cannot say: functions, NaN, cycles,
// text that is not UTF-8, lists with holes, tables with both positions and names; and for more than
// 10 MB. Reads tables raw: no metamethods run.
std::string to_json(lua_State* lua, int index);

}  // namespace heddle::script
