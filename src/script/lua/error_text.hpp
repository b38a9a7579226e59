// Formats script errors for their author: "jobs/shop/hooks.lua:12: …" and a short traceback of
// script functions.
#pragma once

#include <string>

struct lua_State;

namespace heddle::script {

struct ScriptLocation {
  std::string place;      // "jobs/shop/hooks.lua:12", empty outside of scripts
  std::string traceback;  // one line per script function, innermost first; empty for a single one
};

// Where the thread is, or was when it failed. Does not allocate from Lua.
ScriptLocation place_and_traceback(lua_State* lua);

// The error value at the index as text. Calls no metamethod; does not allocate from Lua.
std::string error_text(lua_State* lua, int index);

// A message handler for lua_pcall: turns the error into its text with the traceback.
int add_traceback(lua_State* lua);

}  // namespace heddle::script
