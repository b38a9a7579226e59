// Implements string.find, match, gmatch and gsub on PatternMatcher. All are lua_CFunctions.
#pragma once

struct lua_State;

namespace heddle::script {

int string_find(lua_State* lua);
int string_match(lua_State* lua);
int string_gmatch(lua_State* lua);
int string_gsub(lua_State* lua);

}  // namespace heddle::script
