#include "script/library/text/format_functions.hpp"

#include <string>
#include <string_view>

#include <lua.hpp>

#include "script/library/integer_argument.hpp"
#include "script/library/stock.hpp"
#include "script/lua/step_counter.hpp"
#include "script/lua/to_text.hpp"

namespace heddle::script {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string_view check_format(lua_State* lua) {
  std::size_t size = 0;
  const char* data = luaL_checklstring(lua, 1, &size);
  return {data, size};
}

// The letter of the conversion that starts after the "%" at `at`; moves `at` past it.
char next_conversion(std::string_view format, std::size_t& at) {
  for (++at; at < format.size(); ++at) {
    const char c = format[at];
    const bool is_modifier =
        is_digit(c) || c == '-' || c == '+' || c == ' ' || c == '#' || c == '.';
    if (!is_modifier) return format[at++];
  }
  return '\0';
}

// Numbers of %s as tostring writes them, and no address in any text.
void prepare_text(lua_State* lua, int argument) {
  if (lua_type(lua, argument) == LUA_TSTRING) return;
  push_text_of(lua, argument);
  lua_replace(lua, argument);
}

void prepare_argument(lua_State* lua, char letter, int argument) {
  if (argument > lua_gettop(lua)) return;
  if (letter == 's' || letter == '*') prepare_text(lua, argument);
  if (std::string_view("cdiouxX").find(letter) != std::string_view::npos)
    truncate_argument(lua, argument);
}

// Whether the next value that the option stands for is an integer, another value, or none.
enum class PackedValue { integer, other, none, invalid };

PackedValue packed_value(char option) {
  if (std::string_view("bBhHlLjJTiI").find(option) != std::string_view::npos)
    return PackedValue::integer;
  if (std::string_view("fdnszc").find(option) != std::string_view::npos) return PackedValue::other;
  if (std::string_view("<>=! xX").find(option) != std::string_view::npos) return PackedValue::none;
  return PackedValue::invalid;
}

}  // namespace

int string_format(lua_State* lua) {
  const std::string_view format = check_format(lua);
  std::string rewritten;  // with %s for each %*, which only Luau has
  std::size_t copied = 0;
  int argument = 1;
  for (std::size_t at = format.find('%'); at < format.size(); at = format.find('%', at)) {
    const std::size_t start = at;
    if (format.substr(at, 2) == "%%") {
      at += 2;
      continue;
    }
    const char letter = next_conversion(format, at);
    if (letter == 'p') return luaL_error(lua, "invalid conversion '%%p' to 'format'");
    prepare_argument(lua, letter, ++argument);
    if (letter != '*' || at != start + 2) continue;
    rewritten.append(format.substr(copied, start - copied)).append("%s");
    copied = at;
  }
  if (copied > 0) {
    rewritten.append(format.substr(copied));
    lua_pushlstring(lua, rewritten.data(), rewritten.size());
    lua_replace(lua, 1);
  }
  const std::size_t size = lua_rawlen(lua, 1);
  const int results = stock_upvalue(lua)(lua);
  count_steps(lua, 1 + steps_for_bytes(size + lua_rawlen(lua, -1)));
  return results;
}

int string_pack(lua_State* lua) {
  const std::string_view format = check_format(lua);
  int argument = 1;
  for (std::size_t at = 0; at < format.size(); ++at) {
    if (is_digit(format[at])) continue;
    const PackedValue value = packed_value(format[at]);
    if (value == PackedValue::invalid) break;  // the stock function reports it
    if (value == PackedValue::none) {
      if (format[at] == 'X') ++at;  // aligns to the option that follows
      continue;
    }
    if (++argument > lua_gettop(lua)) break;
    if (value == PackedValue::integer) truncate_argument(lua, argument);
  }
  const int results = stock_upvalue(lua)(lua);
  count_steps(lua, 1 + steps_for_bytes(lua_rawlen(lua, -1)));
  return results;
}

int string_unpack(lua_State* lua) {
  if (lua_type(lua, 1) == LUA_TSTRING) count_steps(lua, 1 + steps_for_bytes(lua_rawlen(lua, 1)));
  truncate_argument(lua, 3);
  return stock_upvalue(lua)(lua);
}

}  // namespace heddle::script
