// The bindings that talk to the network.
#pragma once

#include <lua.hpp>

namespace heddle::script {

void open_http_bindings(lua_State* lua);

}  // namespace heddle::script
