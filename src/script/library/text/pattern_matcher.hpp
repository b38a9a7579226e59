// PatternMatcher matches one Lua pattern against one text with the results of Lua 5.4. It charges
// its steps to the script's budget and gives up on patterns that need too many.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "script/library/text/pattern.hpp"

struct lua_State;

namespace heddle::script {

// A local variable of one library call. Text, pattern and the zero byte that Lua keeps after a text
// must outlive it.
class PatternMatcher {
 public:
  PatternMatcher(lua_State* lua, std::string_view text, const Pattern& pattern);

  // The end of a match that begins exactly here, nullptr when there is none. May raise.
  const char* match(const char* begin) {
    depth_left_ = kMaxDepth;
    return match_rest(begin, pattern_.items);
  }

  // The first position from here on where a match could begin; nullptr when there is none.
  const char* next_candidate(const char* from);

  // Pushes one capture of the match [begin, end). Capture 0 of a pattern without captures is the
  // whole match.
  void push_capture(std::size_t capture, const char* begin, const char* end);
  // Pushes all captures, or the whole match when there are none; returns their number. With nullptr
  // for `begin` the whole match is not pushed.
  int push_captures(const char* begin, const char* end);

  // A capture as text; data() is nullptr when it is a position, which is then pushed.
  std::string_view capture_text(std::size_t capture, const char* begin, const char* end);

 private:
  // The nesting limit of Lua.
  static constexpr int kMaxDepth = 200;
  static constexpr std::int64_t kBatch = 2048;
  static constexpr std::ptrdiff_t kOpen = -1;
  static constexpr std::ptrdiff_t kPosition = -2;

  struct Capture {
    const char* begin;
    std::ptrdiff_t length;
  };

  void count(std::size_t steps) {
    batch_left_ -= static_cast<std::int64_t>(steps);
    if (batch_left_ <= 0) report_steps();
  }
  void report_steps();
  void go_deeper();

  const char* match_rest(const char* at, const PatternItem* item);
  const char* walk(const char* at, const PatternItem* item);
  const char* step_over(const char* at, const PatternItem& item);
  const char* expand(const char* at, const PatternItem* item);
  const char* expand_greedily(const char* at, const PatternItem* item);
  const char* expand_lazily(const char* at, const PatternItem* item);
  const char* skip_balanced(const char* at, const PatternItem& item);
  const char* skip_same(const char* at, const PatternItem& item);
  [[nodiscard]] bool is_frontier(const char* at, const PatternItem& item) const;

  [[nodiscard]] bool fits(const char* at, const ByteSet& set) const {
    return at < end_ && set.contains(static_cast<unsigned char>(*at));
  }
  // Whether the rest after an item may match here: a cheap test that avoids a failing walk.
  [[nodiscard]] bool may_continue(const char* at, const PatternItem& item) const {
    return item.next == nullptr || fits(at, *item.next) || depth_left_ < kMargin;
  }
  // Near the limit nothing is skipped, so that "pattern too complex" is raised where Lua does.
  static constexpr int kMargin = 70;

  lua_State* lua_;
  const Pattern& pattern_;
  const char* begin_;
  const char* end_;
  int depth_left_ = kMaxDepth;
  std::int64_t batch_left_ = kBatch;
  std::int64_t steps_left_;
  std::array<Capture, kMaxCaptures> captures_;  // set before they are read
};

}  // namespace heddle::script
