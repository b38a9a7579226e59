#include "script/lua/number_text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include <lua.hpp>

namespace heddle::script {
namespace {

constexpr double kExactIntegers = 9007199254740992.0;  // 2^53
constexpr double kFirstWithExponent = 1e21;

bool is_whole(double number) {
  return std::fabs(number) < kFirstWithExponent && std::trunc(number) == number;
}

std::string text_of_small(double number) {
  if (number == 0 && std::signbit(number)) return "-0";
  return std::to_string(static_cast<std::int64_t>(number));
}

// As few digits as identify the number, then zeros: 2^60 is 1152921504606847000.
std::string text_of_large(double number) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::fabs(number),
                                 std::chars_format::scientific)
                       .ptr;
  const std::string_view written(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  const std::size_t e = written.find('e');
  std::string digits(written.substr(0, e));
  std::erase(digits, '.');
  std::size_t exponent = 0;
  std::from_chars(written.data() + e + 2, end, exponent);  // after "e+"
  digits.resize(exponent + 1, '0');
  return number < 0 ? "-" + digits : digits;
}

std::string text_of_whole(double number) {
  return std::fabs(number) <= kExactIntegers ? text_of_small(number) : text_of_large(number);
}

bool is_whole_float(lua_State* lua, int index) {
  return lua_type(lua, index) == LUA_TNUMBER && lua_isinteger(lua, index) == 0 &&
         is_whole(lua_tonumber(lua, index));
}

}  // namespace

const char* push_number_text(lua_State* lua, int index, std::size_t* size) {
  if (!is_whole_float(lua, index)) return luaL_tolstring(lua, index, size);
  const std::string text = text_of_whole(lua_tonumber(lua, index));
  lua_pushlstring(lua, text.data(), text.size());
  return lua_tolstring(lua, -1, size);
}

void write_whole_float(lua_State* lua, int index) {
  if (!is_whole_float(lua, index)) return;
  index = lua_absindex(lua, index);
  push_number_text(lua, index);
  lua_replace(lua, index);
}

}  // namespace heddle::script
