// Protects engine tables against functions that bypass metamethods, such as rawset.
#pragma once

struct lua_State;

namespace heddle::script {

// [table, metatable] -> [table]: such functions then raise this message.
void set_guarded_metatable(lua_State* lua, const char* refusal);

// Raises, in the name of this function, when the table at the index is guarded.
void refuse_if_guarded(lua_State* lua, int table, const char* function);

}  // namespace heddle::script
