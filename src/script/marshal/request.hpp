// Requests to and from Lua. All of these may raise.
#pragma once

#include "model/fetch.hpp"

struct lua_State;

namespace heddle::script {

void push_request(lua_State* lua, const FetchRequest& request);
// Fields that are absent are those of `base`; what the script says about headers replaces them all.
FetchRequest read_request(lua_State* lua, int index, const char* owner, const FetchRequest& base);

}  // namespace heddle::script
