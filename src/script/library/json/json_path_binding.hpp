// json_path(value, path): what a JSONPath selects in a Lua value or in a JSON text.
#pragma once

struct lua_State;

namespace heddle::script {

int json_path(lua_State* lua);

}  // namespace heddle::script
