#include "script/syntax_check.hpp"

#include <charconv>
#include <memory>

#include <lauxlib.h>
#include <lua.h>

#include "base/free_with.hpp"
#include "script/luau/load_source.hpp"

namespace heddle::script {

namespace {

using State = std::unique_ptr<lua_State, FreeWith<lua_close>>;

// "jobs/shop/hooks.lua:3: unexpected symbol" -> 3 and the rest.
ScriptSyntaxError syntax_error_of(std::string_view text, const std::string& name) {
  ScriptSyntaxError error;
  if (text.starts_with(name + ":")) {
    text.remove_prefix(name.size() + 1);
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), error.line);
    if (failed == std::errc()) text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.starts_with(": ")) text.remove_prefix(2);
  }
  error.message = text;
  return error;
}

}  // namespace

std::optional<ScriptSyntaxError> check_syntax(const ScriptSource& source) {
  const State state(luaL_newstate());
  if (state == nullptr) return ScriptSyntaxError{0, "out of memory"};
  const std::string chunk = "@" + source.name;
  if (load_source(state.get(), source.text, chunk.c_str()) == LUA_OK) return std::nullopt;
  std::size_t size = 0;
  const char* text = lua_tolstring(state.get(), -1, &size);
  if (text == nullptr) return ScriptSyntaxError{0, "it does not compile"};
  return syntax_error_of({text, size}, source.name);
}

}  // namespace heddle::script
