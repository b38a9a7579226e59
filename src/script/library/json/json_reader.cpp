#include "script/library/json/json_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>

#include <fmt/format.h>
#include <lua.hpp>

#include "base/text.hpp"
#include "script/library/json/json_limits.hpp"
#include "script/lua/stack.hpp"
#include "script/lua/step_counter.hpp"

namespace heddle::script {
namespace {

// Elements are collected on the stack up to this number, so that their table gets the right size.
constexpr int kGathered = 32;

// Characters after a backslash and their meaning.
constexpr std::string_view kEscapeLetters = "\"\\/bfnrt";
constexpr std::string_view kEscapeMeanings = "\"\\/\b\f\n\r\t";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Bytes that a string may contain unescaped and that need no decoding.
bool is_plain(char c) {
  return static_cast<unsigned char>(c) >= 0x20 && static_cast<unsigned char>(c) < 0x80 &&
         c != '"' && c != '\\';
}

class JsonReader {
 public:
  JsonReader(lua_State* lua, std::string_view text) : lua_(lua), text_(text), steps_(lua) {}

  std::string push_all() {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    if (push_value(0)) {
      skip_space();
      if (at_ < text_.size()) fail("unexpected text after the value");
    }
    return error_.empty() ? "" : fmt::format("{} at {}", error_, place());
  }

 private:
  // Functions that return bool have called fail() when it is false.
  bool fail(std::string error) {
    error_ = std::move(error);
    return false;
  }

  // Lines and columns count from 1, columns in characters.
  [[nodiscard]] std::string place() const {
    const std::string_view before = text_.substr(0, at_);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::string_view last_line = before.substr(before.rfind('\n') + 1);
    const auto column = 1 + std::count_if(last_line.begin(), last_line.end(), [](char c) {
                          return (static_cast<unsigned char>(c) & 0xC0U) != 0x80;
                        });
    return fmt::format("{}:{}", line, column);
  }

  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skip_space() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t'))
      ++at_;
  }

  bool skip(char wanted) {
    skip_space();
    if (peek() != wanted || at_ >= text_.size()) return false;
    ++at_;
    return true;
  }

  bool fail_unexpected(std::string_view wanted) {
    if (at_ >= text_.size())
      return fail(fmt::format("the text ends where {} should stand", wanted));
    return fail(fmt::format("expected {}", wanted));
  }

  bool push_value(int level) {
    skip_space();
    steps_.add(2);
    switch (peek()) {
      case '{':
        return push_object(level + 1);
      case '[':
        return push_array(level + 1);
      case '"':
        return push_string();
      case 't':
        lua_pushboolean(lua_, 1);
        return skip_word("true");
      case 'f':
        lua_pushboolean(lua_, 0);
        return skip_word("false");
      case 'n':
        push_null(lua_);
        return skip_word("null");
      default:
        return push_number();
    }
  }

  bool skip_word(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return fail_unexpected("a value");
    at_ += word.size();
    return true;
  }

  bool enter(int level) {
    if (level > kMaxJsonLevels)
      return fail(fmt::format("more than {} levels of nesting", kMaxJsonLevels));
    luaL_checkstack(lua_, 2 * kGathered + 8, "JSON nested too deeply");
    ++at_;
    return true;
  }

  bool push_array(int level) {
    if (!enter(level)) return false;
    const int base = lua_gettop(lua_);
    lua_Integer count = 0;
    bool has_table = false;
    if (!skip(']')) {
      do {
        if (!push_value(level)) return false;
        ++count;
        if (lua_gettop(lua_) - base >= kGathered) has_table = flush_array(base, count, has_table);
      } while (skip(','));
      if (!skip(']')) return fail_unexpected("',' or ']'");
    }
    flush_array(base, count, has_table);
    mark_as_array(lua_);
    return true;
  }

  // Moves the elements above `base` into their table, which is at base + 1 if it exists already.
  // `count` elements have been read in all.
  bool flush_array(int base, lua_Integer count, bool has_table) {
    if (!has_table) {
      lua_createtable(lua_, lua_gettop(lua_) - base, 0);
      lua_insert(lua_, base + 1);
    }
    for (int waiting = lua_gettop(lua_) - base - 1; waiting > 0; --waiting)
      lua_rawseti(lua_, base + 1, count--);
    return true;
  }

  bool push_object(int level) {
    if (!enter(level)) return false;
    const int base = lua_gettop(lua_);
    bool has_table = false;
    if (!skip('}')) {
      do {
        if (!push_member(level)) return false;
        if (lua_gettop(lua_) - base >= 2 * kGathered) has_table = flush_object(base, has_table);
      } while (skip(','));
      if (!skip('}')) return fail_unexpected("',' or '}'");
    }
    flush_object(base, has_table);
    return true;
  }

  bool push_member(int level) {
    skip_space();
    if (peek() != '"') return fail_unexpected("a name in quotes");
    if (!push_string()) return false;
    if (!skip(':')) return fail_unexpected("':'");
    return push_value(level);
  }

  // In the order of the text, so that of equal names the last one wins.
  bool flush_object(int base, bool has_table) {
    if (!has_table) {
      lua_createtable(lua_, 0, (lua_gettop(lua_) - base) / 2);
      lua_insert(lua_, base + 1);
    }
    const int top = lua_gettop(lua_);
    for (int name = base + 2; name < top; name += 2) {
      lua_pushvalue(lua_, name);
      lua_pushvalue(lua_, name + 1);
      lua_rawset(lua_, base + 1);
    }
    lua_settop(lua_, base + 1);
    return true;
  }

  bool push_string() {
    const std::size_t begin = ++at_;
    if (!skip_characters()) return false;
    steps_.add(steps_for_bytes(at_ - begin));
    if (peek() == '"') {
      lua_pushlstring(lua_, text_.data() + begin, at_ - begin);
      ++at_;
      return true;
    }
    return push_escaped_string(begin);
  }

  // Up to the next quote or backslash.
  bool skip_characters() {
    for (;;) {
      while (at_ < text_.size() && is_plain(text_[at_])) ++at_;
      if (at_ >= text_.size()) return fail("the text ends inside a string");
      const char c = text_[at_];
      if (c == '"' || c == '\\') return true;
      if (static_cast<unsigned char>(c) < 0x20) return fail("a control character inside a string");
      const std::size_t length = utf8_sequence_length(text_.substr(at_, 4));
      if (length == 0) return fail("bytes that are not UTF-8");
      at_ += length;
    }
  }

  bool push_escaped_string(std::size_t begin) {
    scratch_.assign(text_, begin, at_ - begin);
    while (peek() == '\\') {
      if (!read_escape()) return false;
      const std::size_t rest = at_;
      if (!skip_characters()) return false;
      scratch_.append(text_, rest, at_ - rest);
    }
    ++at_;
    steps_.add(steps_for_bytes(scratch_.size()));
    lua_pushlstring(lua_, scratch_.data(), scratch_.size());
    return true;
  }

  bool read_escape() {
    const char letter = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    if (letter == 'u') return read_unicode_escape();
    const std::size_t known = kEscapeLetters.find(letter);
    if (letter == '\0' || known == std::string_view::npos) return fail("an unknown escape");
    scratch_ += kEscapeMeanings[known];
    at_ += 2;
    return true;
  }

  // The four digits after the \u at this position.
  [[nodiscard]] std::optional<char32_t> read_unit(std::size_t position) const {
    if (text_.substr(position, 2) != "\\u" || position + 6 > text_.size()) return std::nullopt;
    const char* digits = text_.data() + position + 2;
    std::uint32_t unit = 0;
    const auto result = std::from_chars(digits, digits + 4, unit, 16);
    if (result.ptr != digits + 4) return std::nullopt;
    return unit;
  }

  bool read_unicode_escape() {
    const auto first = read_unit(at_);
    if (!first) return fail("\\u needs four hexadecimal digits");
    if (*first < 0xD800 || *first > 0xDFFF) {
      append_utf8(scratch_, *first);
      at_ += 6;
      return true;
    }
    const auto second = read_unit(at_ + 6);
    if (*first > 0xDBFF || !second || *second < 0xDC00 || *second > 0xDFFF)
      return fail("half of a surrogate pair");
    append_utf8(scratch_, 0x10000 + ((*first - 0xD800) << 10U) + (*second - 0xDC00));
    at_ += 12;
    return true;
  }

  std::size_t skip_digits() {
    const std::size_t begin = at_;
    while (is_digit(peek())) ++at_;
    return at_ - begin;
  }

  bool push_number() {
    const std::size_t begin = at_;
    if (peek() == '-') ++at_;
    if (!is_digit(peek())) {
      at_ = begin;
      return fail_unexpected("a value");
    }
    const bool starts_with_zero = peek() == '0';
    const std::size_t digits = skip_digits();
    if (starts_with_zero && digits > 1) return fail("a number that starts with 0");
    bool is_integer = true;
    if (peek() == '.') {
      is_integer = false;
      ++at_;
      if (skip_digits() == 0) return fail("digits must follow the decimal point");
    }
    if (peek() == 'e' || peek() == 'E') {
      is_integer = false;
      ++at_;
      if (peek() == '+' || peek() == '-') ++at_;
      if (skip_digits() == 0) return fail("digits must follow the exponent");
    }
    return push_parsed_number(text_.substr(begin, at_ - begin), is_integer);
  }

  bool push_parsed_number(std::string_view digits, bool is_integer) {
    steps_.add(steps_for_bytes(digits.size()));
    const char* end = digits.data() + digits.size();
    std::int64_t integer = 0;
    if (is_integer && digits != "-0" &&
        std::from_chars(digits.data(), end, integer).ec == std::errc{}) {
      lua_pushinteger(lua_, integer);
      return true;
    }
    double number = 0;
    if (std::from_chars(digits.data(), end, number).ec == std::errc::result_out_of_range)
      number = out_of_range(digits);
    if (number > std::numeric_limits<double>::max() ||
        number < std::numeric_limits<double>::lowest())
      return fail("a number too large to be represented");
    lua_pushnumber(lua_, number);
    return true;
  }

  // from_chars does not distinguish overflow from underflow; strtod does.
  static double out_of_range(std::string_view digits) {
    return std::strtod(std::string(digits).c_str(), nullptr);
  }

  lua_State* lua_;
  std::string_view text_;
  std::size_t at_ = 0;
  StepCounter steps_;
  std::string scratch_;
  std::string error_;
};

}  // namespace

std::string push_json(lua_State* lua, std::string_view text) {
  const int top = lua_gettop(lua);
  std::string error = JsonReader(lua, text).push_all();
  if (!error.empty()) lua_settop(lua, top);
  return error;
}

}  // namespace heddle::script
