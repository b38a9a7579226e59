// Integer arguments of library functions, taken as Luau takes them: a fraction is cut off. NaN,
// infinity and numbers beyond 64 bits raise an error that says so.
#pragma once

#include <lua.hpp>

namespace heddle::script {

// Like luaL_checkinteger and luaL_optinteger.
lua_Integer check_integer(lua_State* lua, int argument);
lua_Integer opt_integer(lua_State* lua, int argument, lua_Integer otherwise);

// A number that is neither NaN nor infinite.
lua_Number check_finite(lua_State* lua, int argument);

// Makes a number with a fraction an integer, in place. Other values stay, for the function that
// checks them.
void truncate_argument(lua_State* lua, int argument);

}  // namespace heddle::script
