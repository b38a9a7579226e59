// Implements the functions of `table` that only Luau has. All are lua_CFunctions.
#pragma once

struct lua_State;

namespace heddle::script {

int table_clear(lua_State* lua);
int table_clone(lua_State* lua);
int table_create(lua_State* lua);
int table_find(lua_State* lua);
int table_freeze(lua_State* lua);
int table_isfrozen(lua_State* lua);

}  // namespace heddle::script
