// `bit32` of Lua 5.2 (with the additions of Luau) and `bit` of LuaJIT. Both work on 32 bits; bit32
// returns numbers from 0 to 2^32-1, bit signed ones.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include <lua.hpp>

#include "script/library/integer_argument.hpp"
#include "script/library/libraries.hpp"

namespace heddle::script {
namespace {

using Word = std::uint32_t;
constexpr lua_Integer kBits = 32;
constexpr Word kAllOnes = 0xFFFFFFFF;
constexpr Word kSignBit = 0x80000000;

// The differences between the two libraries: numbers with a fraction, the results, and shifts by
// more than 31.
struct Unsigned {
  static lua_Number whole(lua_Number number) { return std::trunc(number); }
  static int give(lua_State* lua, Word word) {
    lua_pushinteger(lua, word);
    return 1;
  }
};
struct Signed {
  static lua_Number whole(lua_Number number) { return std::nearbyint(number); }
  static int give(lua_State* lua, Word word) {
    lua_pushinteger(lua, static_cast<std::int32_t>(word));
    return 1;
  }
};

// Any number modulo 2^32.
template <class Kind>
Word check_word(lua_State* lua, int argument) {
  if (lua_isinteger(lua, argument) != 0) return static_cast<Word>(lua_tointeger(lua, argument));
  const lua_Number rest = std::fmod(Kind::whole(check_finite(lua, argument)), 4294967296.0);
  return static_cast<Word>(static_cast<std::int64_t>(rest));
}

template <class Kind, class Operation>
Word fold(lua_State* lua, Word word, Operation operation) {
  const int arguments = lua_gettop(lua);
  for (int i = 1; i <= arguments; ++i) word = operation(word, check_word<Kind>(lua, i));
  return word;
}

template <class Kind>
int bit_and(lua_State* lua) {
  return Kind::give(lua, fold<Kind>(lua, kAllOnes, [](Word a, Word b) { return a & b; }));
}

template <class Kind>
int bit_or(lua_State* lua) {
  return Kind::give(lua, fold<Kind>(lua, 0, [](Word a, Word b) { return a | b; }));
}

template <class Kind>
int bit_xor(lua_State* lua) {
  return Kind::give(lua, fold<Kind>(lua, 0, [](Word a, Word b) { return a ^ b; }));
}

template <class Kind>
int bit_not(lua_State* lua) {
  return Kind::give(lua, ~check_word<Kind>(lua, 1));
}

template <class Kind>
int swap_bytes(lua_State* lua) {
  return Kind::give(lua, __builtin_bswap32(check_word<Kind>(lua, 1)));
}

int check_rotation(lua_State* lua) {
  return static_cast<int>(static_cast<lua_Unsigned>(check_integer(lua, 2)) % kBits);
}

template <class Kind>
int rotate_left(lua_State* lua) {
  const Word word = check_word<Kind>(lua, 1);
  return Kind::give(lua, std::rotl(word, check_rotation(lua)));
}

template <class Kind>
int rotate_right(lua_State* lua) {
  const Word word = check_word<Kind>(lua, 1);
  return Kind::give(lua, std::rotr(word, check_rotation(lua)));
}

// --- bit32

int test_bits(lua_State* lua) {
  lua_pushboolean(lua,
                  fold<Unsigned>(lua, kAllOnes, [](Word a, Word b) { return a & b; }) != 0 ? 1 : 0);
  return 1;
}

// To the left when the distance is positive, to the right when it is negative.
Word shift_word(Word word, lua_Integer distance) {
  if (distance <= -kBits || distance >= kBits) return 0;
  return distance >= 0 ? word << static_cast<unsigned>(distance)
                       : word >> static_cast<unsigned>(-distance);
}

int shift_left(lua_State* lua) {
  const Word word = check_word<Unsigned>(lua, 1);
  return Unsigned::give(lua, shift_word(word, check_integer(lua, 2)));
}

int shift_right(lua_State* lua) {
  const Word word = check_word<Unsigned>(lua, 1);
  const lua_Integer distance = std::clamp(check_integer(lua, 2), -kBits, kBits);
  return Unsigned::give(lua, shift_word(word, -distance));
}

int shift_right_signed(lua_State* lua) {
  const Word word = check_word<Unsigned>(lua, 1);
  const lua_Integer distance = std::clamp(check_integer(lua, 2), -kBits, kBits);
  if (distance < 0 || (word & kSignBit) == 0)
    return Unsigned::give(lua, shift_word(word, -distance));
  return Unsigned::give(lua, shift_word(word, -distance) | ~shift_word(kAllOnes, -distance));
}

struct BitField {
  unsigned first;
  Word mask;
};

// Arguments `position` and the next: start and width of a field.
BitField check_field(lua_State* lua, int position) {
  const lua_Integer first = check_integer(lua, position);
  const lua_Integer width = opt_integer(lua, position + 1, 1);
  luaL_argcheck(lua, first >= 0, position, "field cannot be negative");
  luaL_argcheck(lua, width > 0, position + 1, "width must be positive");
  if (first > kBits || width > kBits || first + width > kBits)
    luaL_error(lua, "trying to access non-existent bits");
  return {static_cast<unsigned>(first), kAllOnes >> static_cast<unsigned>(kBits - width)};
}

int extract_bits(lua_State* lua) {
  const Word word = check_word<Unsigned>(lua, 1);
  const BitField field = check_field(lua, 2);
  return Unsigned::give(lua, word >> field.first & field.mask);
}

int replace_bits(lua_State* lua) {
  const Word word = check_word<Unsigned>(lua, 1);
  const Word value = check_word<Unsigned>(lua, 2);
  const BitField field = check_field(lua, 3);
  return Unsigned::give(lua, (word & ~(field.mask << field.first)) | (value & field.mask)
                                                                         << field.first);
}

int count_leading_zeros(lua_State* lua) {
  lua_pushinteger(lua, std::countl_zero(check_word<Unsigned>(lua, 1)));
  return 1;
}

int count_trailing_zeros(lua_State* lua) {
  lua_pushinteger(lua, std::countr_zero(check_word<Unsigned>(lua, 1)));
  return 1;
}

// --- bit: only the lower five bits of a distance count

int to_bit(lua_State* lua) {
  return Signed::give(lua, check_word<Signed>(lua, 1));
}

int shift_left_modulo(lua_State* lua) {
  const Word word = check_word<Signed>(lua, 1);
  return Signed::give(lua, word << (check_word<Signed>(lua, 2) % kBits));
}

int shift_right_modulo(lua_State* lua) {
  const Word word = check_word<Signed>(lua, 1);
  return Signed::give(lua, word >> (check_word<Signed>(lua, 2) % kBits));
}

int shift_right_signed_modulo(lua_State* lua) {
  const auto word = static_cast<std::int32_t>(check_word<Signed>(lua, 1));
  return Signed::give(lua, static_cast<Word>(word >> (check_word<Signed>(lua, 2) % kBits)));
}

// tohex(word [, digits]): the lowest digits, in capitals when the count is negative.
int to_hex(lua_State* lua) {
  const Word word = check_word<Signed>(lua, 1);
  const lua_Integer wanted = opt_integer(lua, 2, 8);
  const char* digits = wanted < 0 ? "0123456789ABCDEF" : "0123456789abcdef";
  const auto count = static_cast<int>(wanted < 0 ? -std::max<lua_Integer>(wanted, -8)
                                                 : std::min<lua_Integer>(wanted, 8));
  char text[8];
  for (int i = 0; i < count; ++i) text[i] = digits[word >> 4 * (count - 1 - i) & 15U];
  lua_pushlstring(lua, text, static_cast<std::size_t>(count));
  return 1;
}

// At least one argument, as in LuaJIT.
template <lua_CFunction Function>
int with_argument(lua_State* lua) {
  luaL_checknumber(lua, 1);
  return Function(lua);
}

constexpr luaL_Reg kBit32[] = {
    {"band", bit_and<Unsigned>},
    {"bor", bit_or<Unsigned>},
    {"bxor", bit_xor<Unsigned>},
    {"bnot", bit_not<Unsigned>},
    {"btest", test_bits},
    {"lshift", shift_left},
    {"rshift", shift_right},
    {"arshift", shift_right_signed},
    {"lrotate", rotate_left<Unsigned>},
    {"rrotate", rotate_right<Unsigned>},
    {"extract", extract_bits},
    {"replace", replace_bits},
    {"countlz", count_leading_zeros},
    {"countrz", count_trailing_zeros},
    {"byteswap", swap_bytes<Unsigned>},
    {nullptr, nullptr},
};

constexpr luaL_Reg kBit[] = {
    {"tobit", to_bit},
    {"tohex", to_hex},
    {"band", with_argument<bit_and<Signed>>},
    {"bor", with_argument<bit_or<Signed>>},
    {"bxor", with_argument<bit_xor<Signed>>},
    {"bnot", bit_not<Signed>},
    {"lshift", shift_left_modulo},
    {"rshift", shift_right_modulo},
    {"arshift", shift_right_signed_modulo},
    {"rol", rotate_left<Signed>},
    {"ror", rotate_right<Signed>},
    {"bswap", swap_bytes<Signed>},
    {nullptr, nullptr},
};

}  // namespace

void open_bit(lua_State* lua) {
  luaL_newlib(lua, kBit32);
  lua_setglobal(lua, "bit32");
  luaL_newlib(lua, kBit);
  lua_setglobal(lua, "bit");
}

}  // namespace heddle::script
