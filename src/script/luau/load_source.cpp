#include "script/luau/load_source.hpp"

#include <charconv>
#include <string>

#include <lua.hpp>

#include "script/luau/translate_luau.hpp"

namespace heddle::script {
namespace {

int load_lua(lua_State* lua, std::string_view text, const char* chunk_name) {
  return luaL_loadbufferx(lua, text.data(), text.size(), chunk_name, "t");
}

// The name as Lua's messages show it.
std::string shown_name(lua_State* lua, const char* chunk_name) {
  if (load_lua(lua, "", chunk_name) != LUA_OK) lua_error(lua);
  lua_Debug info{};
  lua_getinfo(lua, ">S", &info);
  return info.short_src;
}

// The line in "name:12: …"; 0 when there is none.
std::size_t line_of(std::string_view message, std::string_view name) {
  std::size_t line = 0;
  if (!message.starts_with(name) || message.size() <= name.size()) return 0;
  message.remove_prefix(name.size() + 1);
  std::from_chars(message.data(), message.data() + message.size(), line);
  return line;
}

// The message of Lua is on top. Where the text is Luau up to a later line, Lua stopped at the first
// piece of Luau, which is no mistake.
void explain(lua_State* lua, const LuauProblem& problem, const char* chunk_name) {
  const std::string name = shown_name(lua, chunk_name);
  std::size_t size = 0;
  const char* message = lua_tolstring(lua, -1, &size);
  if (!problem.is_certain && problem.line <= line_of({message, size}, name)) return;
  const std::string text = name + ":" + std::to_string(problem.line) + ": " + problem.message;
  lua_pushlstring(lua, text.data(), text.size());
  lua_replace(lua, -2);
}

}  // namespace

int load_source(lua_State* lua, std::string_view text, const char* chunk_name) {
  const int status = load_lua(lua, text, chunk_name);
  const bool is_binary = text.starts_with(LUA_SIGNATURE[0]);
  if (status != LUA_ERRSYNTAX || is_binary) return status;
  const LuauTranslation translation = translate_luau(text);
  if (translation.problem) explain(lua, *translation.problem, chunk_name);
  if (!translation.is_changed) return status;
  lua_pop(lua, 1);
  return load_lua(lua, translation.text, chunk_name);
}

}  // namespace heddle::script
