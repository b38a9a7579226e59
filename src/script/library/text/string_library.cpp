#include <algorithm>
#include <cstring>
#include <limits>
#include <string_view>

#include <lua.hpp>

#include "script/library/libraries.hpp"
#include "script/library/stock.hpp"
#include "script/library/text/pattern_functions.hpp"
#include "script/lua/step_counter.hpp"
#include "script/lua/to_text.hpp"

namespace heddle::script {
namespace {

constexpr auto kMaxTextBytes = static_cast<std::size_t>(std::numeric_limits<lua_Integer>::max());

// Doubles the filled part repeatedly; the period is correct because every copy but the last starts
// at a multiple of it.
void fill_repeating(char* out, std::size_t total, std::string_view text,
                    std::string_view separator) {
  std::memcpy(out, text.data(), text.size());
  std::size_t filled = text.size();
  if (filled < total) {
    std::memcpy(out + filled, separator.data(), separator.size());
    filled += separator.size();
  }
  while (filled < total) {
    const std::size_t bytes = std::min(filled, total - filled);
    std::memcpy(out + filled, out, bytes);
    filled += bytes;
  }
}

int string_rep(lua_State* lua) {
  std::size_t size = 0;
  const char* data = luaL_checklstring(lua, 1, &size);
  const lua_Integer count = luaL_checkinteger(lua, 2);
  std::size_t separator_size = 0;
  const char* separator = luaL_optlstring(lua, 3, "", &separator_size);
  const std::size_t period = size + separator_size;
  if (count <= 0 || period == 0) {
    lua_pushliteral(lua, "");
    return 1;
  }
  if (period > kMaxTextBytes / static_cast<std::size_t>(count))
    return luaL_error(lua, "resulting string too large");
  const std::size_t total = static_cast<std::size_t>(count) * period - separator_size;
  luaL_Buffer text;
  char* out = luaL_buffinitsize(lua, &text, total);  // raises beyond the VM's memory limit
  count_steps(lua, 1 + steps_for_bytes(total));
  fill_repeating(out, total, {data, size}, {separator, separator_size});
  luaL_pushresultsize(&text, total);
  return 1;
}

// The letter of the conversion that starts after the "%" at `at`; moves `at` past it.
char next_conversion(std::string_view format, std::size_t& at) {
  for (++at; at < format.size(); ++at) {
    const char c = format[at];
    const bool is_modifier =
        (c >= '0' && c <= '9') || c == '-' || c == '+' || c == ' ' || c == '#' || c == '.';
    if (!is_modifier) return format[at++];
  }
  return '\0';
}

// Calls the stock function with arguments that contain no address.
int string_format(lua_State* lua) {
  std::size_t size = 0;
  const char* data = luaL_checklstring(lua, 1, &size);
  const std::string_view format(data, size);
  const int arguments = lua_gettop(lua);
  int argument = 1;
  for (std::size_t at = format.find('%'); at < size; at = format.find('%', at)) {
    if (at + 1 < size && format[at + 1] == '%') {
      at += 2;
      continue;
    }
    const char letter = next_conversion(format, at);
    if (letter == 'p') return luaL_error(lua, "invalid conversion '%%p' to 'format'");
    ++argument;
    if (letter != 's' || argument > arguments || lua_isstring(lua, argument) != 0) continue;
    push_text_of(lua, argument);
    lua_replace(lua, argument);
  }
  const int results = stock_upvalue(lua)(lua);
  count_steps(lua, 1 + steps_for_bytes(size + lua_rawlen(lua, -1)));
  return results;
}

constexpr luaL_Reg kOwnFunctions[] = {
    {"find", string_find}, {"match", string_match}, {"gmatch", string_gmatch},
    {"gsub", string_gsub}, {"rep", string_rep},     {nullptr, nullptr},
};

// Keeps the stock metatable, which implements arithmetic on numeric strings, but points it to our
// functions and hides it from scripts.
void guard_metatable(lua_State* lua) {
  lua_pushliteral(lua, "");
  lua_getmetatable(lua, -1);
  lua_getglobal(lua, "string");
  lua_setfield(lua, -2, "__index");
  lua_pushboolean(lua, 0);
  lua_setfield(lua, -2, "__metatable");
  lua_pop(lua, 2);
}

}  // namespace

void open_string(lua_State* lua) {
  push_stock(lua, luaopen_string);
  lua_createtable(lua, 0, 16);
  copy_functions(lua, {"byte", "char", "len", "packsize"});
  copy_functions_counting_argument(lua, {"lower", "upper", "reverse", "sub"});
  copy_functions_counting_result(lua, {"pack"});
  copy_functions_counting_argument(lua, {"unpack"});
  lua_getfield(lua, -2, "format");
  lua_pushcclosure(lua, string_format, 1);
  lua_setfield(lua, -2, "format");
  luaL_setfuncs(lua, kOwnFunctions, 0);
  lua_setglobal(lua, "string");
  lua_pop(lua, 1);
  guard_metatable(lua);
}

}  // namespace heddle::script
