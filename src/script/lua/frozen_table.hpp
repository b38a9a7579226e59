// Frozen tables: table.freeze of Luau on Lua 5.4, whose tables have no such state. The elements
// move to a hidden table, and the metatable of the empty one refuses every change. Code that
// bypasses metamethods must read the contents. Fields whose names begin with "__" also stay where
// they are, because Lua looks metamethods up there.
#pragma once

struct lua_State;

namespace heddle::script {

// Freezes the table at the index. Raises when its metatable is protected.
void freeze_table(lua_State* lua, int index);

bool is_frozen(lua_State* lua, int index);
// Raises "attempt to modify a readonly table" when the table at the index is frozen.
void refuse_if_frozen(lua_State* lua, int index);

// Pushes the table that holds the elements of the one at the index. Scripts must not get it.
void push_contents(lua_State* lua, int index);
// Replaces a frozen table at the index by its contents; other values stay.
void replace_by_contents(lua_State* lua, int index);

// Pushes the metatable that the table at the index has for scripts; false without one.
bool push_metatable(lua_State* lua, int index);

// next(table, [key]) and pairs(value), as lua_CFunctions.
int next_element(lua_State* lua);
int iterate_pairs(lua_State* lua);

}  // namespace heddle::script
