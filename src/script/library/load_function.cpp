#include "script/library/load_function.hpp"

#include <cctype>
#include <cstring>
#include <string>

#include <lua.hpp>

#include "script/lua/count_steps.hpp"
#include "script/lua/interrupt.hpp"
#include "script/lua/vm.hpp"
#include "script/luau/load_source.hpp"

namespace heddle::script {
namespace {

// The compiler cannot be interrupted, and its time is quadratic in the number of labels.
constexpr std::size_t kMaxLoadBytes = 262'144;

constexpr const char* kTooLarge = "load: chunk is larger than 256 KB";

// Calls the function at index 1 for pieces until it returns nil or an empty one. A lua_CFunction
// with the text as its second argument: raises what the function raises, returns a message when a
// piece is of no use.
int gather_pieces(lua_State* lua) {
  auto& text = *static_cast<std::string*>(lua_touserdata(lua, 2));
  for (;;) {
    luaL_checkstack(lua, 2, "load: too many nested functions");
    lua_pushvalue(lua, 1);
    lua_call(lua, 0, 1);
    if (lua_isnil(lua, -1)) return 0;
    if (lua_isstring(lua, -1) == 0) {
      lua_pushliteral(lua, "reader function must return a string");
      return 1;
    }
    std::size_t size = 0;
    const char* piece = lua_tolstring(lua, -1, &size);
    if (size == 0) return 0;
    if (size > kMaxLoadBytes - text.size()) {
      lua_pushstring(lua, kTooLarge);
      return 1;
    }
    text.append(piece, size);
    lua_pop(lua, 1);
  }
}

// Reads the text from the function at index 1. False, and the error on top, when that fails: load()
// returns it, as in Lua.
bool read_pieces(lua_State* lua, std::string& text) {
  luaL_checktype(lua, 1, LUA_TFUNCTION);
  lua_pushcfunction(lua, gather_pieces);
  lua_pushvalue(lua, 1);
  lua_pushlightuserdata(lua, &text);
  const int status = lua_pcall(lua, 2, 1, 0);
  if (is_budget_exceeded(lua)) raise_budget_error(lua);
  if (status != LUA_OK) return false;
  if (lua_isnil(lua, -1)) return true;
  luaL_where(lua, 1);
  lua_insert(lua, -2);
  lua_concat(lua, 2);
  return false;
}

bool read_source(lua_State* lua, std::string& text) {
  if (lua_type(lua, 1) != LUA_TSTRING) return read_pieces(lua, text);
  std::size_t size = 0;
  const char* given = lua_tolstring(lua, 1, &size);
  if (size > kMaxLoadBytes) luaL_error(lua, "%s", kTooLarge);
  text.assign(given, size);
  return true;
}

// `result.class` or `result["class"]`.
bool names_class(std::string_view text) {
  constexpr std::string_view kField = ".class";
  for (std::size_t at = text.find(kField); at != std::string_view::npos;
       at = text.find(kField, at + 1)) {
    const std::string_view rest = text.substr(at + kField.size());
    const bool is_longer =
        !rest.empty() &&
        (std::isalnum(static_cast<unsigned char>(rest.front())) != 0 || rest.front() == '_');
    if (!is_longer) return true;
  }
  return text.find("[\"class\"]") != std::string_view::npos ||
         text.find("['class']") != std::string_view::npos;
}

// The error is on top.
int return_failure(lua_State* lua) {
  lua_pushnil(lua);
  lua_insert(lua, -2);
  return 2;
}

}  // namespace

int load_text(lua_State* lua, std::string_view text, const char* chunk_name) {
  if (text.find("spyweb_telemetry") != std::string_view::npos)
    Vm::of(lua).mentions_telemetry = true;
  if (names_class(text)) Vm::of(lua).mentions_page_class = true;
  if (text.find("last_fetch") != std::string_view::npos) Vm::of(lua).mentions_last_fetch = true;
  return load_source(lua, text, chunk_name);
}

int base_load(lua_State* lua) {
  const char* mode = luaL_optstring(lua, 3, "bt");
  const bool has_environment = !lua_isnone(lua, 4);
  const bool is_text = lua_type(lua, 1) == LUA_TSTRING;
  lua_settop(lua, 4);
  const char* given_name = luaL_optstring(lua, 2, nullptr);
  std::string source;
  if (!read_source(lua, source)) return return_failure(lua);
  count_steps(lua, source.size() / 4);
  if (std::strchr(mode, 't') == nullptr) {
    lua_pushnil(lua);
    lua_pushfstring(lua, "attempt to load a text chunk (mode is '%s')", mode);
    return 2;
  }
  const char* name = given_name != nullptr ? given_name
                     : is_text             ? lua_tostring(lua, 1)
                                           : "=(load)";
  if (load_text(lua, source, name) != LUA_OK) return return_failure(lua);
  if (has_environment) {
    lua_pushvalue(lua, 4);
    if (lua_setupvalue(lua, -2, 1) == nullptr) lua_pop(lua, 1);
  }
  return 1;
}

}  // namespace heddle::script
