#include "script/library/load_function.hpp"

#include <cstring>
#include <string>

#include <lua.hpp>

#include "script/lua/count_steps.hpp"
#include "script/lua/dialect_hint.hpp"
#include "script/lua/vm.hpp"

namespace heddle::script {
namespace {

// The compiler cannot be interrupted, and its time is quadratic in the number of labels.
constexpr std::size_t kMaxLoadBytes = 262'144;

// Calls the function at index 1 for pieces until it returns nil or an empty one.
std::string gather_pieces(lua_State* lua) {
  std::string text;
  for (;;) {
    luaL_checkstack(lua, 2, "load: too many nested functions");
    lua_pushvalue(lua, 1);
    lua_call(lua, 0, 1);
    if (lua_isnil(lua, -1)) break;
    if (lua_type(lua, -1) != LUA_TSTRING) luaL_error(lua, "reader function must return a string");
    std::size_t size = 0;
    const char* piece = lua_tolstring(lua, -1, &size);
    if (size == 0) break;
    if (size > kMaxLoadBytes - text.size()) luaL_error(lua, "load: chunk is larger than 256 KB");
    text.append(piece, size);
    lua_pop(lua, 1);
  }
  lua_pop(lua, 1);
  return text;
}

std::string read_source(lua_State* lua) {
  if (lua_type(lua, 1) != LUA_TSTRING) {
    luaL_checktype(lua, 1, LUA_TFUNCTION);
    return gather_pieces(lua);
  }
  std::size_t size = 0;
  const char* text = lua_tolstring(lua, 1, &size);
  if (size > kMaxLoadBytes) luaL_error(lua, "load: chunk is larger than 256 KB");
  return {text, size};
}

}  // namespace

int load_text(lua_State* lua, std::string_view text, const char* chunk_name) {
  if (text.find("last_fetch") != std::string_view::npos) Vm::of(lua).mentions_last_fetch = true;
  const int status = luaL_loadbufferx(lua, text.data(), text.size(), chunk_name, "t");
  if (status != LUA_ERRSYNTAX) return status;
  std::size_t size = 0;
  const char* message = lua_tolstring(lua, -1, &size);
  const std::string hint = dialect_hint(text, {message, size});
  if (hint.empty()) return status;
  lua_pushfstring(lua, "%s\n  %s", message, hint.c_str());
  lua_remove(lua, -2);
  return status;
}

int base_load(lua_State* lua) {
  const char* mode = luaL_optstring(lua, 3, "bt");
  const bool has_environment = !lua_isnone(lua, 4);
  const bool is_text = lua_type(lua, 1) == LUA_TSTRING;
  lua_settop(lua, 4);
  const char* given_name = luaL_optstring(lua, 2, nullptr);
  const std::string source = read_source(lua);
  count_steps(lua, source.size() / 4);
  if (std::strchr(mode, 't') == nullptr) {
    lua_pushnil(lua);
    lua_pushfstring(lua, "attempt to load a text chunk (mode is '%s')", mode);
    return 2;
  }
  const char* name = given_name != nullptr ? given_name
                     : is_text             ? lua_tostring(lua, 1)
                                           : "=(load)";
  if (load_text(lua, source, name) != LUA_OK) {
    lua_pushnil(lua);
    lua_insert(lua, -2);
    return 2;
  }
  if (has_environment) {
    lua_pushvalue(lua, 4);
    if (lua_setupvalue(lua, -2, 1) == nullptr) lua_pop(lua, 1);
  }
  return 1;
}

}  // namespace heddle::script
