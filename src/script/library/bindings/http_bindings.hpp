// Adds the network bindings.
#pragma once

#include <lua.hpp>

namespace heddle::script {

void open_http_bindings(lua_State* lua);

}  // namespace heddle::script
