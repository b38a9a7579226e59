#include "script/library/text/pattern_matcher.hpp"

#include <cstring>

#include <lua.hpp>

#include "script/lua/count_steps.hpp"

namespace heddle::script {
namespace {

// The step limit of one call: enough for any reasonable pattern, a fraction of a second.
constexpr std::int64_t kMaxSteps = 20'000'000;
constexpr std::int64_t kMaxStepsPerByte = 32;

// Scanning this many bytes costs about one step.
constexpr std::size_t kBytesPerStep = 8;

}  // namespace

// NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): captures are set before they are read
PatternMatcher::PatternMatcher(lua_State* lua, std::string_view text, const Pattern& pattern)
    : lua_(lua),
      pattern_(pattern),
      begin_(text.data()),
      end_(text.data() + text.size()),
      steps_left_(kMaxSteps + kMaxStepsPerByte * static_cast<std::int64_t>(text.size())) {}

void PatternMatcher::report_steps() {
  const std::int64_t steps = kBatch - batch_left_;
  batch_left_ = kBatch;
  steps_left_ -= steps;
  count_steps(lua_, static_cast<std::uint64_t>(steps));
  if (steps_left_ < 0) luaL_error(lua_, "pattern too complex");
}

void PatternMatcher::go_deeper() {
  if (depth_left_-- == 0) luaL_error(lua_, "pattern too complex");
}

const char* PatternMatcher::next_candidate(const char* from) {
  if (pattern_.first == nullptr) return from;
  const char* at = from;
  const PatternItem& first = pattern_.items[0];
  if (first.op == PatternOp::bytes && first.is_byte) {
    at = static_cast<const char*>(
        std::memchr(from, first.first, static_cast<std::size_t>(end_ - from)));
    if (at == nullptr) at = end_;
  } else {
    while (at < end_ && !pattern_.first->contains(static_cast<unsigned char>(*at))) ++at;
  }
  count(static_cast<std::size_t>(at - from) / kBytesPerStep);
  return at < end_ ? at : nullptr;
}

const char* PatternMatcher::match_rest(const char* at, const PatternItem* item) {
  const int depth_left = depth_left_;
  go_deeper();
  const char* end = walk(at, item);
  depth_left_ = depth_left;
  return end;
}

const char* PatternMatcher::walk(const char* at, const PatternItem* item) {
  for (; at != nullptr; ++item) {
    count(1);
    if (item->op == PatternOp::finish) return at;
    if (item->repeat == Repeat::once) {
      at = step_over(at, *item);
    } else if (fits(at, *item->set)) {
      const char* end = expand(at, item);
      if (end != nullptr || item->repeat != Repeat::optional) return end;
    } else if (item->repeat == Repeat::greedy_once_or_more) {
      return nullptr;
    }
  }
  return nullptr;
}

// Captures need no undo: after backtracking past one, matching forward sets it again.
const char* PatternMatcher::step_over(const char* at, const PatternItem& item) {
  switch (item.op) {
    case PatternOp::bytes:
      return fits(at, *item.set) ? at + 1 : nullptr;
    case PatternOp::open:
      go_deeper();
      captures_[item.first] = {at, kOpen};
      return at;
    case PatternOp::close:
      go_deeper();
      captures_[item.first].length = at - captures_[item.first].begin;
      return at;
    case PatternOp::position:
      go_deeper();
      captures_[item.first] = {at, kPosition};
      return at;
    case PatternOp::end_of_text:
      return at == end_ ? at : nullptr;
    case PatternOp::balanced:
      return skip_balanced(at, item);
    case PatternOp::frontier:
      return is_frontier(at, item) ? at : nullptr;
    case PatternOp::back_reference:
      return skip_same(at, item);
    default:
      luaL_error(lua_, "%s", item.error);
      return nullptr;
  }
}

// The item matches here at least once and may repeat: returns the end of the whole match, if any.
const char* PatternMatcher::expand(const char* at, const PatternItem* item) {
  switch (item->repeat) {
    case Repeat::optional:
      return may_continue(at + 1, *item) ? match_rest(at + 1, item + 1) : nullptr;
    case Repeat::lazy:
      return expand_lazily(at, item);
    default:
      return expand_greedily(at, item);
  }
}

// Matches as many as possible, then one less each time the rest does not match.
const char* PatternMatcher::expand_greedily(const char* at, const PatternItem* item) {
  const std::ptrdiff_t least = item->repeat == Repeat::greedy_once_or_more ? 1 : 0;
  const char* last = at;
  while (fits(last, *item->set)) ++last;
  count(static_cast<std::size_t>(last - at) / kBytesPerStep);
  for (const char* rest = last; rest >= at + least; --rest) {
    if (!may_continue(rest, *item)) continue;
    if (const char* end = match_rest(rest, item + 1)) return end;
  }
  count(static_cast<std::size_t>(last - at) / kBytesPerStep);
  return nullptr;
}

const char* PatternMatcher::expand_lazily(const char* at, const PatternItem* item) {
  const char* rest = at;
  for (;; ++rest) {
    if (may_continue(rest, *item))
      if (const char* end = match_rest(rest, item + 1)) {
        count(static_cast<std::size_t>(rest - at) / kBytesPerStep);
        return end;
      }
    if (!fits(rest, *item->set)) break;
  }
  count(static_cast<std::size_t>(rest - at) / kBytesPerStep);
  return nullptr;
}

const char* PatternMatcher::skip_balanced(const char* at, const PatternItem& item) {
  if (at >= end_ || static_cast<unsigned char>(*at) != item.first) return nullptr;
  std::size_t open = 1;
  const char* place = at + 1;
  for (; place < end_ && open > 0; ++place) {
    const auto byte = static_cast<unsigned char>(*place);
    if (byte == item.second)
      --open;
    else if (byte == item.first)
      ++open;
  }
  count(static_cast<std::size_t>(place - at) / kBytesPerStep);
  return open == 0 ? place : nullptr;
}

const char* PatternMatcher::skip_same(const char* at, const PatternItem& item) {
  const Capture& capture = captures_[item.first];
  if (capture.length < 0 || end_ - at < capture.length) return nullptr;
  const auto length = static_cast<std::size_t>(capture.length);
  count(length / kBytesPerStep);
  return std::memcmp(capture.begin, at, length) == 0 ? at + length : nullptr;
}

// Both ends of the text count as a zero byte.
bool PatternMatcher::is_frontier(const char* at, const PatternItem& item) const {
  const char before = at == begin_ ? '\0' : at[-1];
  const char here = at == end_ ? '\0' : *at;
  return !item.set->contains(static_cast<unsigned char>(before)) &&
         item.set->contains(static_cast<unsigned char>(here));
}

std::string_view PatternMatcher::capture_text(std::size_t capture, const char* begin,
                                              const char* end) {
  if (capture >= pattern_.captures) {
    if (capture != 0) luaL_error(lua_, "invalid capture index %%%d", static_cast<int>(capture) + 1);
    return {begin, static_cast<std::size_t>(end - begin)};
  }
  const Capture& caught = captures_[capture];
  if (caught.length == kOpen) luaL_error(lua_, "unfinished capture");
  if (caught.length == kPosition) {
    lua_pushinteger(lua_, caught.begin - begin_ + 1);
    return {};
  }
  return {caught.begin, static_cast<std::size_t>(caught.length)};
}

void PatternMatcher::push_capture(std::size_t capture, const char* begin, const char* end) {
  const std::string_view text = capture_text(capture, begin, end);
  if (text.data() != nullptr) lua_pushlstring(lua_, text.data(), text.size());
}

int PatternMatcher::push_captures(const char* begin, const char* end) {
  const std::size_t count =
      pattern_.captures == 0 && begin != nullptr ? 1 : std::size_t{pattern_.captures};
  luaL_checkstack(lua_, static_cast<int>(count), "too many captures");
  for (std::size_t i = 0; i < count; ++i) push_capture(i, begin, end);
  return static_cast<int>(count);
}

}  // namespace heddle::script
