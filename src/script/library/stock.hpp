// Copies functions from Lua's own libraries.
#pragma once

#include <initializer_list>

#include <lua.hpp>

namespace heddle::script {

// Pushes a stock library's table. The caller must undo its changes to globals and registry.
void push_stock(lua_State* lua, lua_CFunction open);

// Copies fields from the table below the top to the one on top: [stock, ours].
void copy_functions(lua_State* lua, std::initializer_list<const char*> names);

// The same for functions whose time grows with a text: they charge the bytes of their first
// argument before the call. Only for functions without upvalues.
void copy_functions_counting_argument(lua_State* lua, std::initializer_list<const char*> names);

// The same for functions that take integers: numbers from argument `first` to `last` may have a
// fraction, which is cut off. Only for functions without upvalues.
void copy_functions_truncating(lua_State* lua, std::initializer_list<const char*> names, int first,
                               int last);

// Copies one function as the first upvalue of `wrapper`.
void wrap_function(lua_State* lua, const char* name, lua_CFunction wrapper);

// The stock function behind a closure that has it as its first upvalue. Calling it directly keeps
// the name that error messages show.
inline lua_CFunction stock_upvalue(lua_State* lua) {
  return lua_tocfunction(lua, lua_upvalueindex(1));
}

}  // namespace heddle::script
