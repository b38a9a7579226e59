#include <algorithm>
#include <climits>
#include <cstring>
#include <limits>
#include <string_view>

#include <lua.hpp>

#include "script/library/integer_argument.hpp"
#include "script/library/libraries.hpp"
#include "script/library/stock.hpp"
#include "script/library/text/format_functions.hpp"
#include "script/library/text/pattern_functions.hpp"
#include "script/lua/number_text.hpp"
#include "script/lua/step_counter.hpp"

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

std::string_view check_text(lua_State* lua) {
  write_whole_float(lua, 1);
  std::size_t size = 0;
  const char* data = luaL_checklstring(lua, 1, &size);
  return {data, size};
}

int string_rep(lua_State* lua) {
  const std::string_view source = check_text(lua);
  const lua_Integer count = check_integer(lua, 2);
  std::size_t separator_size = 0;
  const char* separator = luaL_optlstring(lua, 3, "", &separator_size);
  const std::size_t period = source.size() + separator_size;
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
  fill_repeating(out, total, source, {separator, separator_size});
  luaL_pushresultsize(&text, total);
  return 1;
}

struct TextRange {
  std::size_t begin;  // from 0
  std::size_t size;
};

// The bytes from position `first` to `last`, both from 1; negative ones count from the end.
TextRange range_of(std::size_t size, lua_Integer first, lua_Integer last) {
  const auto length = static_cast<lua_Integer>(size);
  if (first < 0) first = first < -length ? 1 : length + first + 1;
  if (last < 0) last = last < -length ? 0 : length + last + 1;
  first = std::max<lua_Integer>(first, 1);
  last = std::min(last, length);
  if (first > last) return {0, 0};
  return {static_cast<std::size_t>(first) - 1, static_cast<std::size_t>(last - first) + 1};
}

int string_len(lua_State* lua) {
  lua_pushinteger(lua, static_cast<lua_Integer>(check_text(lua).size()));
  return 1;
}

int string_sub(lua_State* lua) {
  const std::string_view text = check_text(lua);
  const lua_Integer first = check_integer(lua, 2);
  const auto [begin, size] = range_of(text.size(), first, opt_integer(lua, 3, -1));
  count_steps(lua, 1 + steps_for_bytes(size));
  lua_pushlstring(lua, text.data() + begin, size);
  return 1;
}

int string_byte(lua_State* lua) {
  const std::string_view text = check_text(lua);
  const lua_Integer first = opt_integer(lua, 2, 1);
  const auto [begin, size] = range_of(text.size(), first, opt_integer(lua, 3, first));
  if (size >= static_cast<std::size_t>(INT_MAX)) return luaL_error(lua, "string slice too long");
  luaL_checkstack(lua, static_cast<int>(size), "string slice too long");
  for (const char c : text.substr(begin, size)) lua_pushinteger(lua, static_cast<unsigned char>(c));
  return static_cast<int>(size);
}

// split(text, [separator]): the parts between separators; without one, the characters.
int string_split(lua_State* lua) {
  const std::string_view text = check_text(lua);
  std::size_t separator_size = 0;
  const char* separator = luaL_optlstring(lua, 2, ",", &separator_size);
  lua_newtable(lua);
  const int parts = lua_gettop(lua);
  StepCounter steps(lua);
  lua_Integer count = 0;
  std::size_t begin = 0;
  const auto add_until = [&](std::size_t end) {
    steps.add(4 + steps_for_bytes(end - begin));
    lua_pushlstring(lua, text.data() + begin, end - begin);
    lua_rawseti(lua, parts, ++count);
  };
  if (separator_size == 0) {
    for (; begin < text.size(); ++begin) add_until(begin + 1);
    return 1;
  }
  const std::string_view wanted(separator, separator_size);
  for (std::size_t at = text.find(wanted); at != std::string_view::npos;
       at = text.find(wanted, begin)) {
    add_until(at);
    begin = at + separator_size;
  }
  add_until(text.size());
  return 1;
}

constexpr luaL_Reg kOwnFunctions[] = {
    {"find", string_find}, {"match", string_match}, {"gmatch", string_gmatch},
    {"gsub", string_gsub}, {"rep", string_rep},     {"len", string_len},
    {"sub", string_sub},   {"byte", string_byte},   {"split", string_split},
    {nullptr, nullptr},
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
  copy_functions(lua, {"packsize"});
  copy_functions_truncating(lua, {"char"}, 1, INT_MAX);
  copy_functions_counting_argument(lua, {"lower", "upper", "reverse"});
  wrap_function(lua, "format", string_format);
  wrap_function(lua, "pack", string_pack);
  wrap_function(lua, "unpack", string_unpack);
  luaL_setfuncs(lua, kOwnFunctions, 0);
  lua_setglobal(lua, "string");
  lua_pop(lua, 1);
  guard_metatable(lua);
}

}  // namespace heddle::script
