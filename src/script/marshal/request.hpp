// Converts requests to and from Lua. All functions may raise.
#pragma once

#include "model/web/fetch.hpp"

struct lua_State;

namespace heddle::script {

void push_request(lua_State* lua, const FetchRequest& request);
// Absent fields are taken from `base`; headers are replaced as a whole.
FetchRequest read_request(lua_State* lua, int index, const char* owner, const FetchRequest& base);

}  // namespace heddle::script
