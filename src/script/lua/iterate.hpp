// Helpers for __pairs of tables that scripts may iterate but not access.
#pragma once

struct lua_State;

namespace heddle::script {

// Turns the table on top into the three results of a __pairs metamethod, and returns 3.
int return_iteration(lua_State* lua);
// Copies all raw pairs of one table into another.
void copy_pairs(lua_State* lua, int from, int to);
// Removes all pairs.
void clear_table(lua_State* lua, int table);

}  // namespace heddle::script
