#include "script/library/text/pattern.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <optional>

namespace heddle::script {
namespace {

constexpr char kEscape = '%';

constexpr std::array<const char*, 10> kBadCaptureIndex{
    "invalid capture index %0", "invalid capture index %1", "invalid capture index %2",
    "invalid capture index %3", "invalid capture index %4", "invalid capture index %5",
    "invalid capture index %6", "invalid capture index %7", "invalid capture index %8",
    "invalid capture index %9"};

unsigned char to_byte(char c) {
  return static_cast<unsigned char>(c);
}

class PatternCompiler {
 public:
  PatternCompiler(std::string_view text, void* memory)
      : text_(text),
        items_(static_cast<PatternItem*>(memory)),
        sets_(reinterpret_cast<ByteSet*>(items_ + text.size() + 1)) {}

  Pattern compile(Anchor anchor) {
    Pattern pattern;
    pattern.is_anchored = anchor == Anchor::allowed && at(0) == '^';
    at_ = pattern.is_anchored ? 1 : 0;
    while (at_ < text_.size() && !has_mistake_) add_next();
    if (!has_mistake_) add({.op = PatternOp::finish});
    pattern.items = items_;
    pattern.captures = captures_;
    pattern.first = look_ahead();
    return pattern;
  }

 private:
  // Lua's strings end in a zero byte that is not part of them.
  [[nodiscard]] char at(std::size_t position) const {
    return position < text_.size() ? text_[position] : '\0';
  }

  PatternItem& add(const PatternItem& item) { return *new (items_ + count_++) PatternItem(item); }

  void add_malformed(const char* error) {
    has_mistake_ = true;
    add({.op = PatternOp::malformed, .error = error});
  }

  void add_next() {
    switch (text_[at_]) {
      case '(':
        return add_open();
      case ')':
        return add_close();
      case '$':
        if (at_ + 1 < text_.size()) return add_bytes();
        ++at_;
        add({.op = PatternOp::end_of_text});
        return;
      case kEscape:
        return add_escape();
      default:
        return add_bytes();
    }
  }

  void add_open() {
    if (captures_ >= kMaxCaptures) return add_malformed("too many captures");
    const auto capture = static_cast<std::uint8_t>(captures_++);
    if (at(at_ + 1) == ')') {
      at_ += 2;
      is_closed_[capture] = true;
      add({.op = PatternOp::position, .first = capture});
      return;
    }
    ++at_;
    add({.op = PatternOp::open, .first = capture});
  }

  void add_close() {
    std::size_t capture = captures_;
    while (capture > 0 && is_closed_[capture - 1]) --capture;
    if (capture == 0) return add_malformed("invalid pattern capture");
    is_closed_[capture - 1] = true;
    ++at_;
    add({.op = PatternOp::close, .first = static_cast<std::uint8_t>(capture - 1)});
  }

  void add_escape() {
    const char letter = at(at_ + 1);
    if (letter == 'b') return add_balanced();
    if (letter == 'f') return add_frontier();
    if (letter >= '0' && letter <= '9') return add_back_reference(letter);
    add_bytes();
  }

  void add_balanced() {
    if (at_ + 3 >= text_.size())
      return add_malformed("malformed pattern (missing arguments to '%b')");
    add({.op = PatternOp::balanced,
         .first = to_byte(text_[at_ + 2]),
         .second = to_byte(text_[at_ + 3])});
    at_ += 4;
  }

  void add_frontier() {
    if (at(at_ + 2) != '[') return add_malformed("missing '[' after '%f' in pattern");
    at_ += 2;
    if (const ByteSet* set = read_set()) add({.op = PatternOp::frontier, .set = set});
  }

  void add_back_reference(char digit) {
    const auto number = static_cast<std::size_t>(digit - '0');
    if (number == 0 || number > captures_ || !is_closed_[number - 1])
      return add_malformed(kBadCaptureIndex[number]);
    at_ += 2;
    add({.op = PatternOp::back_reference, .first = static_cast<std::uint8_t>(number - 1)});
  }

  void add_bytes() {
    PatternItem item{.op = PatternOp::bytes};
    const char c = text_[at_];
    if (c == '[') {
      item.set = read_set();
      if (item.set == nullptr) return;
    } else if (c == '.') {
      ++at_;
      item.set = &kEveryByte;
    } else if (c == kEscape) {
      if (at_ + 1 == text_.size()) return add_malformed("malformed pattern (ends with '%')");
      set_byte(item, text_[at_ + 1], !is_class_letter(text_[at_ + 1]));
      at_ += 2;
    } else {
      set_byte(item, c, true);
      ++at_;
    }
    item.repeat = read_repeat();
    add(item);
  }

  static void set_byte(PatternItem& item, char c, bool is_byte) {
    item.is_byte = is_byte;
    item.first = to_byte(c);
    item.set = is_byte ? &kSingleByteSets[to_byte(c)] : &kEscapedSets[to_byte(c)];
  }

  Repeat read_repeat() {
    switch (at(at_++)) {
      case '?':
        return Repeat::optional;
      case '*':
        return Repeat::greedy;
      case '+':
        return Repeat::greedy_once_or_more;
      case '-':
        return Repeat::lazy;
      default:
        --at_;
        return Repeat::once;
    }
  }

  // Reads "[…]" and moves past it; a leading "]" is a member. Adds an error item and
  // returns nullptr when it is unterminated.
  const ByteSet* read_set() {
    const bool is_complement = at(at_ + 1) == '^';
    const std::size_t begin = at_ + (is_complement ? 2 : 1);
    const auto end = find_end_of_set(begin);
    if (!end) {
      add_malformed("malformed pattern (missing ']')");
      return nullptr;
    }
    ByteSet& set = *new (sets_ + set_count_++) ByteSet;
    fill_set(set, text_.substr(begin, *end - begin));
    if (is_complement) set.invert();
    at_ = *end + 1;
    return &set;
  }

  [[nodiscard]] std::optional<std::size_t> find_end_of_set(std::size_t position) const {
    do {
      if (position >= text_.size()) return std::nullopt;
      position += text_[position] == kEscape ? 2 : 1;
    } while (at(position) != ']');
    return position;
  }

  static void fill_set(ByteSet& set, std::string_view members) {
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (members[i] == kEscape && i + 1 < members.size()) {
        set.add(kEscapedSets[to_byte(members[++i])]);
      } else if (i + 2 < members.size() && members[i + 1] == '-') {
        set.add_range(to_byte(members[i]), to_byte(members[i + 2]));
        i += 2;
      } else {
        set.add(to_byte(members[i]));
      }
    }
  }

  // Sets for each item the bytes that can follow it; returns those that can start the pattern.
  const ByteSet* look_ahead() {
    const ByteSet* lead = nullptr;
    for (std::size_t i = count_; i-- > 0;) {
      PatternItem& item = items_[i];
      item.next = lead;
      lead = lead_of(item, lead);
    }
    return lead;
  }

  static const ByteSet* lead_of(const PatternItem& item, const ByteSet* next) {
    switch (item.op) {
      case PatternOp::bytes: {
        const bool must_be_there =
            item.repeat == Repeat::once || item.repeat == Repeat::greedy_once_or_more;
        return must_be_there && item.set != &kEveryByte ? item.set : nullptr;
      }
      case PatternOp::balanced:
        return &kSingleByteSets[item.first];
      case PatternOp::open:
      case PatternOp::close:
      case PatternOp::position:
        return next;
      default:
        return nullptr;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  PatternItem* items_;
  std::size_t count_ = 0;
  ByteSet* sets_;
  std::size_t set_count_ = 0;
  std::uint32_t captures_ = 0;
  std::array<bool, kMaxCaptures> is_closed_{};
  bool has_mistake_ = false;
};

}  // namespace

std::size_t pattern_bytes(std::string_view text) {
  const auto sets = static_cast<std::size_t>(std::count(text.begin(), text.end(), '['));
  return (text.size() + 1) * sizeof(PatternItem) + sets * sizeof(ByteSet);
}

Pattern compile_pattern(std::string_view text, Anchor anchor, void* memory) {
  return PatternCompiler(text, memory).compile(anchor);
}

}  // namespace heddle::script
