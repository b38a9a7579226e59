#include "script/library/json/json_writer.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <lua.hpp>

#include "base/text.hpp"
#include "model/json.hpp"
#include "script/library/json/json_limits.hpp"
#include "script/lua/frozen_table.hpp"
#include "script/lua/stack.hpp"
#include "script/lua/step_counter.hpp"

namespace heddle::script {
namespace {

constexpr std::size_t kPiece = 16'384;
constexpr double kExactIntegers = 9007199254740992.0;  // 2^53

class LuaJsonWriter {
 public:
  LuaJsonWriter(lua_State* lua, EmptyTable empty) : lua_(lua), empty_(empty), steps_(lua) {}

  // The index is absolute.
  void write(int index) {
    steps_.add(2);
    switch (lua_type(lua_, index)) {
      case LUA_TNIL:
        return append("null");
      case LUA_TBOOLEAN:
        return append(lua_toboolean(lua_, index) != 0 ? "true" : "false");
      case LUA_TNUMBER:
        return write_number(index);
      case LUA_TSTRING:
        return write_text(text_at(index), "a text that is not UTF-8");
      case LUA_TTABLE:
        return write_table(index);
      default:
        break;
    }
    if (is_null(lua_, index)) return append("null");
    fail(fmt::format("a {}", luaL_typename(lua_, index)));
  }

  std::string take() { return std::move(out_); }

 private:
  struct Level {
    const void* table;
    std::string_view name;     // of the member being written
    lua_Integer position = 0;  // or its index in a list
  };

  void fail(const std::string& what) {
    const std::string message = fmt::format("{} at {} cannot be written as JSON", what, path());
    luaL_error(lua_, "%s", message.c_str());
  }

  [[nodiscard]] std::string path() const {
    std::string text = "$";
    for (const Level& level : levels_) {
      if (level.position > 0)
        text += fmt::format("[{}]", level.position);
      else if (level.name.data() != nullptr)
        text += "." + to_valid_utf8(std::string(utf8_prefix(level.name, 40)));
    }
    return text.size() <= 200 ? text : std::string(utf8_prefix(text, 200)) + "…";
  }

  void append(std::string_view text) {
    out_ += text;
    check_size();
  }

  void check_size() {
    if (out_.size() > kMaxJsonBytes) luaL_error(lua_, "the JSON text is larger than 10 MB");
  }

  std::string_view text_at(int index) {
    std::size_t size = 0;
    const char* data = lua_tolstring(lua_, index, &size);
    return {data, size};
  }

  // In pieces, because every byte may become six and the limit must apply early.
  void write_text(std::string_view text, const char* error_message) {
    if (text.size() > kMaxJsonBytes) append(text);
    steps_.add(steps_for_bytes(text.size()));
    if (!is_valid_utf8(text)) fail(error_message);
    out_ += '"';
    while (!text.empty()) {
      const std::string_view piece = utf8_prefix(text, kPiece);
      append_json_text(out_, piece);
      check_size();
      steps_.add(piece.size() / 4);
      text.remove_prefix(piece.size());
    }
    out_ += '"';
  }

  // A float without a fraction is written without a point: readers expect a count, and in Lua 5
  // == 5.0.
  void write_number(int index) {
    if (lua_isinteger(lua_, index) != 0)
      return append_number(static_cast<std::int64_t>(lua_tointeger(lua_, index)));
    const double number = lua_tonumber(lua_, index);
    if (!std::isfinite(number)) fail(std::isnan(number) ? "NaN" : "an infinite number");
    if (number == 0 && std::signbit(number)) return append("-0");
    if (std::trunc(number) == number && std::fabs(number) < kExactIntegers)
      return append_number(static_cast<std::int64_t>(number));
    append_number(number);
  }

  template <class Number>
  void append_number(Number number) {
    std::array<char, 32> text{};
    const auto result = std::to_chars(text.data(), text.data() + text.size(), number);
    append({text.data(), static_cast<std::size_t>(result.ptr - text.data())});
  }

  void write_table(int index) {
    luaL_checkstack(lua_, 8, "value nested too deeply");
    const void* table = lua_topointer(lua_, index);
    const auto is_same = [table](const Level& level) { return level.table == table; };
    if (std::any_of(levels_.begin(), levels_.end(), is_same)) fail("a table that contains itself");
    if (levels_.size() >= static_cast<std::size_t>(kMaxJsonLevels))
      fail(fmt::format("more than {} levels of nesting", kMaxJsonLevels));
    levels_.push_back({table, {}, 0});
    push_contents(lua_, index);
    const int contents = lua_gettop(lua_);
    if (lua_rawlen(lua_, contents) > 0 || is_marked_as_array(lua_, index))
      write_array(contents);
    else
      write_object(contents);
    lua_pop(lua_, 1);
    levels_.pop_back();
  }

  void write_array(int index) {
    const auto length = static_cast<lua_Integer>(lua_rawlen(lua_, index));
    check_list(index, length);
    append("[");
    for (lua_Integer i = 1; i <= length; ++i) {
      levels_.back().position = i;
      if (i > 1) append(",");
      lua_rawgeti(lua_, index, i);
      write(lua_gettop(lua_));
      lua_pop(lua_, 1);
    }
    append("]");
  }

  // Whether the keys are exactly 1 to length.
  void check_list(int index, lua_Integer length) {
    lua_Integer count = 0;
    for (lua_pushnil(lua_); lua_next(lua_, index) != 0; lua_pop(lua_, 1)) {
      steps_.add(1);
      if (lua_isinteger(lua_, -2) == 0) fail("a table with both positions and names");
      const lua_Integer position = lua_tointeger(lua_, -2);
      if (position < 1 || position > length) fail("a list with holes");
      ++count;
    }
    if (count != length) fail("a list with holes");
  }

  void write_object(int index) {
    const std::size_t first = names_.size();
    gather_names(index);
    std::sort(names_.begin() + static_cast<std::ptrdiff_t>(first), names_.end());
    if (names_.size() == first && empty_ == EmptyTable::list) return append("[]");
    append("{");
    for (std::size_t i = first; i < names_.size(); ++i) {
      const std::string_view name = names_[i];
      levels_.back().name = name;
      if (i > first) append(",");
      write_text(name, "a name that is not UTF-8");
      out_ += ':';
      lua_pushlstring(lua_, name.data(), name.size());
      lua_rawget(lua_, index);
      write(lua_gettop(lua_));
      lua_pop(lua_, 1);
    }
    append("}");
    names_.resize(first);
  }

  // The views stay valid: no script code runs in between, so the table keeps its keys.
  void gather_names(int index) {
    for (lua_pushnil(lua_); lua_next(lua_, index) != 0; lua_pop(lua_, 1)) {
      steps_.add(4);
      if (lua_type(lua_, -2) == LUA_TNUMBER) fail("a list with holes");
      if (lua_type(lua_, -2) != LUA_TSTRING)
        fail(fmt::format("a table with a key that is a {}", luaL_typename(lua_, -2)));
      names_.push_back(text_at(-2));
    }
  }

  lua_State* lua_;
  EmptyTable empty_;
  StepCounter steps_;
  std::string out_;
  std::vector<Level> levels_;            // the tables around the value being written
  std::vector<std::string_view> names_;  // of all objects being written, innermost last
};

}  // namespace

std::string to_json(lua_State* lua, int index, EmptyTable empty) {
  LuaJsonWriter writer(lua, empty);
  writer.write(lua_absindex(lua, index));
  return writer.take();
}

}  // namespace heddle::script
