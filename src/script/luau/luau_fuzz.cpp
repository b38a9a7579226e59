// Translates any bytes as Luau: the line breaks stay, plain Lua comes back as it is, and so does a
// translation that Lua compiles.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include <lua.hpp>

#include "base/free_with.hpp"
#include "script/luau/translate_luau.hpp"

namespace heddle::script {
namespace {

void require(bool is_true) {
  if (!is_true) std::abort();
}

bool is_lua(std::string_view text) {
  static const std::unique_ptr<lua_State, FreeWith<lua_close>> state(luaL_newstate());
  const int status = luaL_loadbufferx(state.get(), text.data(), text.size(), "=fuzz", "t");
  lua_settop(state.get(), 0);
  return status == LUA_OK;
}

std::string breaks_of(std::string_view text) {
  std::string breaks;
  for (const char c : text)
    if (c == '\n' || c == '\r') breaks += c;
  return breaks;
}

void check(std::string_view text) {
  const LuauTranslation translation = translate_luau(text);
  if (is_lua(text)) require(!translation.problem && !translation.is_changed);
  if (translation.problem) return require(translation.text.empty());
  require(translation.is_changed || translation.text == text);
  require(breaks_of(translation.text) == breaks_of(text));
  if (translation.is_changed && is_lua(translation.text)) {
    const LuauTranslation again = translate_luau(translation.text);
    require(!again.problem && !again.is_changed);
  }
}

}  // namespace
}  // namespace heddle::script

// NOLINTNEXTLINE(readability-identifier-naming): the name libFuzzer calls
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  heddle::script::check({reinterpret_cast<const char*>(data), size});
  return 0;
}
