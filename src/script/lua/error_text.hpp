// What a script's author reads when something went wrong: "jobs/shop/hooks.lua:12: …" and a short
// traceback of script functions.
#pragma once

#include <string>

struct lua_State;

namespace heddle::script {

struct Location {
  std::string place;      // "jobs/shop/hooks.lua:12", empty outside of scripts
  std::string traceback;  // one line per script function, innermost first; empty for a single one
};

// Of whatever the thread is doing, or was doing when it failed. Asks Lua for no memory.
Location place_and_traceback(lua_State* lua);

// The error value at the index as text. Never calls a metamethod; asks Lua for no memory.
std::string error_text(lua_State* lua, int index);

// A message handler for lua_pcall: turns the error into its text with the traceback.
int add_traceback(lua_State* lua);

}  // namespace heddle::script
