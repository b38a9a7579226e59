#include "script/library/text/dump_writer.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <lua.hpp>

#include "base/text.hpp"
#include "script/lua/frozen_table.hpp"
#include "script/lua/number_text.hpp"
#include "script/lua/stack.hpp"
#include "script/lua/step_counter.hpp"
#include "script/lua/vm.hpp"

namespace heddle::script {
namespace {

constexpr std::size_t kMaxBytes = 1'000'000;
constexpr std::size_t kMaxLevels = 100;
constexpr std::size_t kMaxPairs = 10'000;  // from a __pairs, which may be endless

bool is_name(std::string_view text) {
  const auto is_letter_or_line = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  if (text.empty() || !is_letter_or_line(text.front())) return false;
  return std::all_of(text.begin(), text.end(),
                     [&](char c) { return is_letter_or_line(c) || (c >= '0' && c <= '9'); });
}

void append_escaped(std::string& out, char c) {
  if (c == '"' || c == '\\')
    out += {'\\', c};
  else if (c == '\n')
    out += "\\n";
  else if (c == '\t')
    out += "\\t";
  else if (c == '\r')
    out += "\\r";
  else
    out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
}

// As a Lua literal; invalid UTF-8 becomes \xff.
void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const std::size_t length = utf8_sequence_length(text);
    const char c = text.front();
    const bool is_plain = static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\';
    if (length > 0 && is_plain && c != 0x7f)
      out += text.substr(0, length);
    else
      append_escaped(out, c);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  out += '"';
}

// Whether this dump may call __pairs: only the outermost one. Nested dumps show raw tables, because
// they would otherwise overflow the C stack.
class PairsGuard {
 public:
  explicit PairsGuard(lua_State* lua)
      : is_busy_(Vm::of(lua).running.is_dumping), may_ask_(!is_busy_) {
    is_busy_ = true;
  }
  ~PairsGuard() {
    if (may_ask_) is_busy_ = false;
  }
  PairsGuard(const PairsGuard&) = delete;
  PairsGuard& operator=(const PairsGuard&) = delete;

  explicit operator bool() const { return may_ask_; }

 private:
  bool& is_busy_;
  bool may_ask_;
};

class DumpWriter {
 public:
  explicit DumpWriter(lua_State* lua) : lua_(lua), steps_(lua), may_ask_(lua) {}

  // The index is absolute.
  void write(int index) {
    steps_.add(4);
    switch (lua_type(lua_, index)) {
      case LUA_TNIL:
        out_ += "nil";
        return;
      case LUA_TBOOLEAN:
        out_ += lua_toboolean(lua_, index) != 0 ? "true" : "false";
        return;
      case LUA_TNUMBER:
        return write_number(index);
      case LUA_TSTRING:
        return write_text(text_at(index));
      case LUA_TTABLE:
        return write_table(index);
      default:
        out_ += is_null(lua_, index) ? "null" : fmt::format("<{}>", luaL_typename(lua_, index));
    }
  }

  std::string take() {
    if (is_full()) out_ += "\n<cut off>";
    return std::move(out_);
  }

 private:
  // Keys in the order of output; keys of other types are only counted.
  struct Keys {
    std::vector<lua_Integer> integers;
    std::vector<lua_Number> floats;
    std::vector<std::string_view> names;
    std::vector<bool> flags;
    std::size_t others = 0;

    [[nodiscard]] std::size_t count() const {
      return integers.size() + floats.size() + names.size() + flags.size() + others;
    }
  };

  [[nodiscard]] bool is_full() const { return out_.size() > kMaxBytes; }

  std::string_view text_at(int index) {
    std::size_t size = 0;
    const char* data = lua_tolstring(lua_, index, &size);
    return {data, size};
  }

  void write_text(std::string_view text) {
    const std::string_view shown = utf8_prefix(text, kMaxBytes);
    steps_.add(shown.size() / 4);
    append_quoted(out_, shown);
  }

  void write_number(int index) {
    push_number_text(lua_, index);
    out_ += text_at(-1);
    lua_pop(lua_, 1);
  }

  void write_table(int index) {
    luaL_checkstack(lua_, 16, "value nested too deeply");
    const void* table = lua_topointer(lua_, index);
    if (std::find(open_.begin(), open_.end(), table) != open_.end()) {
      out_ += "<cycle>";
      return;
    }
    if (open_.size() >= kMaxLevels) {
      out_ += "<more levels>";
      return;
    }
    open_.push_back(table);
    const int top = lua_gettop(lua_);
    push_contents(lua_, index);
    if (is_frozen(lua_, index))
      write_elements(top + 1, "");
    else if (may_ask_ && luaL_getmetafield(lua_, index, "__pairs") != LUA_TNIL)
      write_asked(index);
    else
      write_elements(index, "");
    lua_settop(lua_, top);
    open_.pop_back();
  }

  // The pairs that a script would get from pairs(); __pairs is on top.
  void write_asked(int index) {
    lua_newtable(lua_);
    lua_insert(lua_, -2);
    const int shown = lua_gettop(lua_) - 1;
    lua_pushvalue(lua_, index);
    lua_call(lua_, 1, 3);  // iterator, state, first key
    std::size_t count = 0;
    while (count < kMaxPairs && copy_next_pair(shown)) ++count;
    write_elements(shown, count < kMaxPairs ? "" : "<more>");
  }

  // [iterator, state, last key] -> [iterator, state, key]; false at the end.
  bool copy_next_pair(int shown) {
    steps_.add(8);
    lua_pushvalue(lua_, -3);
    lua_pushvalue(lua_, -3);
    lua_rotate(lua_, -3, -1);
    lua_call(lua_, 2, 2);
    if (lua_isnil(lua_, -2)) return false;
    const bool is_nan = lua_rawequal(lua_, -2, -2) == 0;  // no table holds such a key
    lua_pushvalue(lua_, -2);
    lua_insert(lua_, -2);
    if (is_nan)
      lua_pop(lua_, 2);
    else
      lua_rawset(lua_, shown);
    return true;
  }

  void write_elements(int index, std::string_view last_line) {
    const Keys keys = gather_keys(index);
    if (keys.count() == 0) {
      out_ += "{}";
      return;
    }
    out_ += "{\n";
    lua_Integer next = 1;
    for (const lua_Integer key : keys.integers) {
      if (key == next) {
        begin_line("");
        ++next;
      } else {
        begin_line(fmt::format("[{}] = ", key));
      }
      lua_rawgeti(lua_, index, key);
      end_line();
    }
    write_other_keys(index, keys);
    if (!last_line.empty()) out_.append(2 * open_.size(), ' ').append(last_line) += '\n';
    out_.append(2 * (open_.size() - 1), ' ');
    out_ += "}";
  }

  void write_other_keys(int index, const Keys& keys) {
    for (const lua_Number key : keys.floats) {
      lua_pushnumber(lua_, key);
      write_keyed_by_top(index);
    }
    for (const std::string_view name : keys.names) {
      lua_pushlstring(lua_, name.data(), name.size());
      write_keyed_by_top(index);
    }
    for (const bool flag : keys.flags) {
      lua_pushboolean(lua_, flag ? 1 : 0);
      write_keyed_by_top(index);
    }
    if (keys.others == 0) return;
    out_.append(2 * open_.size(), ' ');
    out_ += fmt::format("<{} more with keys that are neither text nor number>\n", keys.others);
  }

  // Pops the key.
  void write_keyed_by_top(int index) {
    if (is_full()) return lua_pop(lua_, 1);
    begin_line("");
    if (lua_type(lua_, -1) == LUA_TSTRING && is_name(text_at(-1))) {
      out_ += text_at(-1);
    } else {
      out_ += '[';
      write(lua_gettop(lua_));
      out_ += ']';
    }
    out_ += " = ";
    lua_rawget(lua_, index);
    end_line();
  }

  void begin_line(std::string_view text) {
    if (is_full()) return;
    out_.append(2 * open_.size(), ' ');
    out_ += text;
  }

  // Writes and pops the value on top.
  void end_line() {
    steps_.add(2);
    if (!is_full()) {
      write(lua_gettop(lua_));
      out_ += ",\n";
    }
    lua_pop(lua_, 1);
  }

  // Leaves a list of the names on the stack that keeps them alive: script code that runs in between
  // may remove them from the table.
  Keys gather_keys(int index) {
    Keys keys;
    lua_newtable(lua_);
    const int anchor = lua_gettop(lua_);
    for (lua_pushnil(lua_); lua_next(lua_, index) != 0; lua_pop(lua_, 1)) {
      steps_.add(4);
      if (lua_isinteger(lua_, -2) != 0)
        keys.integers.push_back(lua_tointeger(lua_, -2));
      else if (lua_type(lua_, -2) == LUA_TNUMBER)
        keys.floats.push_back(lua_tonumber(lua_, -2));
      else if (lua_type(lua_, -2) == LUA_TSTRING)
        keep_name(anchor, keys.names);
      else if (lua_type(lua_, -2) == LUA_TBOOLEAN)
        keys.flags.push_back(lua_toboolean(lua_, -2) != 0);
      else
        ++keys.others;
    }
    std::sort(keys.integers.begin(), keys.integers.end());
    std::sort(keys.floats.begin(), keys.floats.end());
    std::sort(keys.names.begin(), keys.names.end());
    std::sort(keys.flags.begin(), keys.flags.end());
    return keys;
  }

  // The name is below the top.
  void keep_name(int anchor, std::vector<std::string_view>& names) {
    names.push_back(text_at(-2));
    lua_pushvalue(lua_, -2);
    lua_rawseti(lua_, anchor, static_cast<lua_Integer>(names.size()));
  }

  lua_State* lua_;
  StepCounter steps_;
  PairsGuard may_ask_;
  std::string out_;
  std::vector<const void*> open_;  // the tables around the value being written
};

}  // namespace

std::string to_dump(lua_State* lua, int index) {
  DumpWriter writer(lua);
  writer.write(lua_absindex(lua, index));
  return writer.take();
}

}  // namespace heddle::script
