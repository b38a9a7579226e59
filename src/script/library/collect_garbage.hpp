// Implements collectgarbage("count"), ("step") and ("collect") within the budgets of a call.
#pragma once

struct lua_State;

namespace heddle::script {

int collect_garbage(lua_State* lua);  // a lua_CFunction: ([option [, kilobytes]])

}  // namespace heddle::script
