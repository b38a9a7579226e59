// Protects engine tables against rawset by scripts.
#pragma once

struct lua_State;

namespace heddle::script {

// [table, metatable] -> [table]: rawset on it then raises this message.
void set_guarded_metatable(lua_State* lua, const char* refusal);

// Raises when the table at the index is guarded.
void refuse_if_guarded(lua_State* lua, int table);

}  // namespace heddle::script
