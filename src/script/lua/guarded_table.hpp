// Tables of the engine that scripts may not write past their metatable.
#pragma once

struct lua_State;

namespace heddle::script {

// [table, metatable] -> [table]: rawset refuses it from now on, with these words.
void set_guarded_metatable(lua_State* lua, const char* refusal);

// Raises when the table at the index is such a one.
void refuse_if_guarded(lua_State* lua, int table);

}  // namespace heddle::script
