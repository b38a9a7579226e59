// Test support: compiles scripts in stock Lua, with and without the translation of Luau.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <lua.hpp>

#include "base/free_with.hpp"
#include "script/luau/load_source.hpp"
#include "script/luau/luau_edits.hpp"
#include "script/luau/translate_luau.hpp"

namespace heddle::script {

// A Lua state with a global list `out`; say(...) appends its arguments and the line of the caller.
class LuauTestState {
 public:
  LuauTestState() : state_(luaL_newstate()) {
    luaL_openlibs(lua());
    (void)luaL_dostring(lua(),
                        "out = {}\n"
                        "function say(...)\n"
                        "  local texts = {debug.getinfo(2, 'l').currentline}\n"
                        "  for i = 1, select('#', ...) do\n"
                        "    texts[#texts + 1] = tostring((select(i, ...)))\n"
                        "  end\n"
                        "  out[#out + 1] = table.concat(texts, ' ')\n"
                        "end");
  }

  // What the script said, one line per call, and its error.
  std::string run(std::string_view text) {
    std::string error;
    if (load_source(lua(), text, "@test.lua") != LUA_OK || lua_pcall(lua(), 0, 0, 0) != LUA_OK)
      error = lua_tostring(lua(), -1);
    lua_settop(lua(), 0);
    (void)luaL_dostring(lua(), "local text = table.concat(out, '\\n') out = {} return text");
    std::string said = lua_tostring(lua(), -1);
    lua_settop(lua(), 0);
    if (!error.empty()) said += (said.empty() ? "" : "\n") + error;
    return said;
  }

  bool is_lua(std::string_view text) {
    const int status = luaL_loadbufferx(lua(), text.data(), text.size(), "@test.lua", "t");
    lua_settop(lua(), 0);
    return status == LUA_OK;
  }

  lua_State* lua() { return state_.get(); }

 private:
  std::unique_ptr<lua_State, FreeWith<lua_close>> state_;
};

}  // namespace heddle::script
