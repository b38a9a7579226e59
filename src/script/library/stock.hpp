// What is taken over from Lua's own libraries.
#pragma once

#include <initializer_list>

#include <lua.hpp>

namespace heddle::script {

// Pushes a stock library's table. Whatever its opening did to the globals or to the registry is the
// business of the caller.
void push_stock(lua_State* lua, lua_CFunction open);

// Copies fields from the table below the top to the one on top: [stock, ours].
void take_over(lua_State* lua, std::initializer_list<const char*> names);

// The same for functions whose time grows with a text: they count the bytes of their first argument
// before, or those of their result after they have run. Only for functions without upvalues.
void take_over_counting_argument(lua_State* lua, std::initializer_list<const char*> names);
void take_over_counting_result(lua_State* lua, std::initializer_list<const char*> names);

// The stock function behind a closure that has it as its first upvalue. Calling it directly keeps
// the name that error messages show.
inline lua_CFunction stock_upvalue(lua_State* lua) {
  return lua_tocfunction(lua, lua_upvalueindex(1));
}

}  // namespace heddle::script
