#include "script/library/text/pattern_functions.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstring>
#include <new>
#include <string_view>

#include <lua.hpp>

#include "script/library/integer_argument.hpp"
#include "script/library/text/pattern_matcher.hpp"
#include "script/lua/number_text.hpp"
#include "script/lua/step_counter.hpp"

namespace heddle::script {
namespace {

std::string_view check_text(lua_State* lua, int argument) {
  write_whole_float(lua, argument);
  std::size_t size = 0;
  const char* data = luaL_checklstring(lua, argument, &size);
  return {data, size};
}

// The start offset, from 0; a negative argument counts from the end. May be past the end.
std::size_t check_start(lua_State* lua, int argument, std::size_t size) {
  const lua_Integer position = opt_integer(lua, argument, 1);
  if (position > 0) return static_cast<std::size_t>(position) - 1;
  if (position == 0 || position < -static_cast<lua_Integer>(size)) return 0;
  return size - static_cast<std::size_t>(-position);
}

// A pattern compiled for one call: in the C++ frame when it is short, else in memory of the VM that
// stays on the Lua stack.
class LocalPattern {
 public:
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): compiling fills the memory
  LocalPattern(lua_State* lua, std::string_view text) {
    count_steps(lua, 1 + text.size() / 4);
    void* memory =
        text.size() <= kMaxShort ? memory_ : lua_newuserdatauv(lua, pattern_bytes(text), 0);
    pattern_ = compile_pattern(text, Anchor::allowed, memory);
  }

  [[nodiscard]] const Pattern& get() const { return pattern_; }

 private:
  static constexpr std::size_t kMaxShort = 48;
  alignas(std::max_align_t) std::byte memory_[max_pattern_bytes(kMaxShort)];
  Pattern pattern_;
};

bool is_plain_text(std::string_view pattern) {
  return pattern.find_first_of("^$*+?.([%-") == std::string_view::npos;
}

int push_plain_match(lua_State* lua, std::string_view text, std::size_t start,
                     std::string_view wanted) {
  count_steps(lua, 1 + steps_for_bytes(text.size() - start));
  const char* found =
      wanted.empty() ? text.data() + start
                     : static_cast<const char*>(memmem(text.data() + start, text.size() - start,
                                                       wanted.data(), wanted.size()));
  if (found == nullptr) {
    luaL_pushfail(lua);
    return 1;
  }
  const lua_Integer offset = found - text.data();
  lua_pushinteger(lua, offset + 1);
  lua_pushinteger(lua, offset + static_cast<lua_Integer>(wanted.size()));
  return 2;
}

struct PatternMatch {
  const char* begin = nullptr;
  const char* end = nullptr;  // nullptr: none
};

PatternMatch find_first(PatternMatcher& matcher, const Pattern& pattern, const char* from,
                        const char* text_end) {
  if (pattern.is_anchored) return {from, matcher.match(from)};
  for (const char* at = from; at <= text_end; ++at) {
    at = matcher.next_candidate(at);
    if (at == nullptr) break;
    if (const char* end = matcher.match(at)) return {at, end};
  }
  return {};
}

enum class MatchResults { position_and_captures, captures };

int find_or_match(lua_State* lua, MatchResults wanted) {
  const std::string_view text = check_text(lua, 1);
  const std::string_view pattern_text = check_text(lua, 2);
  const std::size_t start = check_start(lua, 3, text.size());
  if (start > text.size()) {
    luaL_pushfail(lua);
    return 1;
  }
  if (wanted == MatchResults::position_and_captures &&
      (lua_toboolean(lua, 4) != 0 || is_plain_text(pattern_text)))
    return push_plain_match(lua, text, start, pattern_text);
  const LocalPattern pattern(lua, pattern_text);
  PatternMatcher matcher(lua, text, pattern.get());
  const PatternMatch match =
      find_first(matcher, pattern.get(), text.data() + start, text.data() + text.size());
  if (match.end == nullptr) {
    luaL_pushfail(lua);
    return 1;
  }
  if (wanted == MatchResults::captures) return matcher.push_captures(match.begin, match.end);
  lua_pushinteger(lua, match.begin - text.data() + 1);
  lua_pushinteger(lua, match.end - text.data());
  return 2 + matcher.push_captures(nullptr, nullptr);
}

// --- gmatch

// In memory of the VM, followed by the compiled pattern.
struct GmatchState {
  Pattern pattern;
  const char* from = nullptr;
  const char* last_end = nullptr;  // end of the last match: an empty match may not follow there
};

int gmatch_next(lua_State* lua) {
  std::size_t size = 0;
  const char* data = lua_tolstring(lua, lua_upvalueindex(1), &size);
  auto& state = *static_cast<GmatchState*>(lua_touserdata(lua, lua_upvalueindex(2)));
  PatternMatcher matcher(lua, {data, size}, state.pattern);
  for (const char* at = state.from; at <= data + size; ++at) {
    at = matcher.next_candidate(at);
    if (at == nullptr) break;
    const char* end = matcher.match(at);
    if (end == nullptr || end == state.last_end) continue;
    state.from = state.last_end = end;
    return matcher.push_captures(at, end);
  }
  return 0;
}

// --- gsub

// Builds the result of gsub. The replacement is argument 3.
class Substitution {
 public:
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): begin() starts the buffer
  Substitution(lua_State* lua, PatternMatcher& matcher)
      : lua_(lua), matcher_(matcher), kind_(lua_type(lua, 3)) {}

  void begin() { luaL_buffinit(lua_, &out_); }
  void keep(const char* begin, const char* end) {
    luaL_addlstring(&out_, begin, static_cast<std::size_t>(end - begin));
  }
  void replace(const char* begin, const char* end) {
    if (kind_ == LUA_TNUMBER || kind_ == LUA_TSTRING) {
      add_template(begin, end);
      has_changed_ = true;
      return;
    }
    push_replacement(begin, end);
    if (lua_toboolean(lua_, -1) == 0) {
      lua_pop(lua_, 1);
      keep(begin, end);
      return;
    }
    if (lua_isstring(lua_, -1) == 0)
      luaL_error(lua_, "invalid replacement value (a %s)", luaL_typename(lua_, -1));
    write_whole_float(lua_, -1);
    luaL_addvalue(&out_);
    has_changed_ = true;
  }
  // Pushes the new text, or the old one when nothing has changed.
  void finish() {
    if (has_changed_)
      luaL_pushresult(&out_);
    else
      lua_pushvalue(lua_, 1);
  }
  [[nodiscard]] bool has_changed() const { return has_changed_; }

 private:
  void push_replacement(const char* begin, const char* end) {
    if (kind_ == LUA_TTABLE) {
      matcher_.push_capture(0, begin, end);
      lua_gettable(lua_, 3);
      return;
    }
    lua_pushvalue(lua_, 3);
    const int captures = matcher_.push_captures(begin, end);
    lua_call(lua_, captures, 1);
  }

  // The text with %0 to %9 filled in.
  void add_template(const char* begin, const char* end) {
    std::size_t size = 0;
    const char* at = lua_tolstring(lua_, 3, &size);
    const char* stop = at + size;
    while (const auto* escape = static_cast<const char*>(
               std::memchr(at, '%', static_cast<std::size_t>(stop - at)))) {
      keep(at, escape);
      add_escaped(escape[1], begin, end);
      at = escape + 2;
    }
    keep(at, stop);
  }

  void add_escaped(char what, const char* begin, const char* end) {
    if (what == '%') return luaL_addlstring(&out_, "%", 1);
    if (what == '0') return keep(begin, end);
    if (std::isdigit(static_cast<unsigned char>(what)) == 0)
      luaL_error(lua_, "invalid use of '%c' in replacement string", '%');
    const auto capture = static_cast<std::size_t>(what - '1');
    const std::string_view text = matcher_.capture_text(capture, begin, end);
    if (text.data() == nullptr)
      luaL_addvalue(&out_);  // a position, pushed
    else
      luaL_addlstring(&out_, text.data(), text.size());
  }

  lua_State* lua_;
  PatternMatcher& matcher_;
  int kind_;
  bool has_changed_ = false;
  luaL_Buffer out_;
};

struct GsubResult {
  lua_Integer count;
  const char* rest;  // from here on the text is unchanged
};

GsubResult substitute_all(PatternMatcher& matcher, const Pattern& pattern, std::string_view text,
                          lua_Integer most, Substitution& out) {
  const char* at = text.data();
  const char* end = at + text.size();
  const char* last_end = nullptr;
  lua_Integer count = 0;
  while (count < most) {
    const char* candidate = pattern.is_anchored ? at : matcher.next_candidate(at);
    if (candidate == nullptr) break;
    out.keep(at, candidate);
    at = candidate;
    const char* match_end = matcher.match(at);
    if (match_end != nullptr && match_end != last_end) {
      ++count;
      out.replace(at, match_end);
      at = last_end = match_end;
    } else if (at < end) {
      out.keep(at, at + 1);
      ++at;
    } else {
      break;
    }
    if (pattern.is_anchored) break;
  }
  return {count, at};
}

}  // namespace

int string_find(lua_State* lua) {
  return find_or_match(lua, MatchResults::position_and_captures);
}

int string_match(lua_State* lua) {
  return find_or_match(lua, MatchResults::captures);
}

int string_gmatch(lua_State* lua) {
  const std::string_view text = check_text(lua, 1);
  const std::string_view pattern = check_text(lua, 2);
  const std::size_t start = std::min(check_start(lua, 3, text.size()), text.size() + 1);
  lua_settop(lua, 2);
  count_steps(lua, 1 + pattern.size() / 4);
  lua_pushvalue(lua, 1);
  auto* memory = static_cast<std::byte*>(
      lua_newuserdatauv(lua, sizeof(GmatchState) + pattern_bytes(pattern), 0));
  new (memory) GmatchState{compile_pattern(pattern, Anchor::literal, memory + sizeof(GmatchState)),
                           text.data() + start, nullptr};
  lua_pushcclosure(lua, gmatch_next, 2);
  return 1;
}

int string_gsub(lua_State* lua) {
  const std::string_view text = check_text(lua, 1);
  const std::string_view pattern_text = check_text(lua, 2);
  const int kind = lua_type(lua, 3);
  luaL_argexpected(
      lua,
      kind == LUA_TNUMBER || kind == LUA_TSTRING || kind == LUA_TFUNCTION || kind == LUA_TTABLE, 3,
      "string/function/table");
  write_whole_float(lua, 3);
  const lua_Integer most = opt_integer(lua, 4, static_cast<lua_Integer>(text.size()) + 1);
  const LocalPattern pattern(lua, pattern_text);
  PatternMatcher matcher(lua, text, pattern.get());
  Substitution out(lua, matcher);
  out.begin();
  const GsubResult end = substitute_all(matcher, pattern.get(), text, most, out);
  if (out.has_changed()) out.keep(end.rest, text.data() + text.size());
  out.finish();
  lua_pushinteger(lua, end.count);
  return 2;
}

}  // namespace heddle::script
