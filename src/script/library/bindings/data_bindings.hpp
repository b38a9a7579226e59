// Adds the data bindings: store_*, global_store_*, db_*, fs_*.
#pragma once

#include <lua.hpp>

namespace heddle::script {

void open_data_bindings(lua_State* lua);

}  // namespace heddle::script
