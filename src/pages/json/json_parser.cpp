#include "pages/json/json_parser.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "base/hash.hpp"
#include "base/text.hpp"

namespace heddle::pages {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::size_t kFewMembers = 8;  // comparing each with each is faster than sorting

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace

JsonParser::JsonParser(std::string text, const JsonLimits& limits)
    : text_(document_.text_), limits_(limits) {
  text_ = to_valid_utf8(std::move(text));
  if (text_.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
}

Result<JsonDocument> JsonParser::parse() {
  if (text_.size() > std::numeric_limits<std::uint32_t>::max()) return reject_size();
  skip_space();
  if (!parse_value()) return Error{ErrorCode::bad_input, std::move(error_)};
  skip_space();
  if (!at_end()) {
    fail("more text after the value");
    return Error{ErrorCode::bad_input, std::move(error_)};
  }
  return finish();
}

Result<JsonDocument> JsonParser::parse_lines() {
  if (text_.size() > std::numeric_limits<std::uint32_t>::max()) return reject_size();
  append(JsonKind::array, {}, {});
  open_ = JsonDocument::root();
  first_of_.push_back(0);
  depth_ = 1;
  for (skip_space(); !at_end(); skip_space()) {
    if (!parse_value()) return Error{ErrorCode::bad_input, std::move(error_)};
  }
  close();
  return finish();
}

Result<JsonDocument> JsonParser::reject_size() const {
  return Error{ErrorCode::bad_input, "too_complex: JSON of 4 GB or more"};
}

Result<JsonDocument> JsonParser::finish() {
  return std::move(document_);
}

bool JsonParser::parse_value() {
  const std::size_t outside = depth_;
  if (!begin_value({})) return false;
  while (depth_ > outside) {
    skip_space();
    if (ends_container()) continue;
    if (document_.nodes_[open_].length > 0) {
      if (peek() != ',')
        return fail(document_.kind(open_) == JsonKind::array ? "expected \",\" or \"]\""
                                                             : "expected \",\" or \"}\"");
      ++at_;
      skip_space();
    }
    const bool is_object = document_.kind(open_) == JsonKind::object;
    if (!(is_object ? begin_member() : begin_value({}))) return false;
  }
  return true;
}

bool JsonParser::ends_container() {
  if (peek() != (document_.kind(open_) == JsonKind::array ? ']' : '}')) return false;
  ++at_;
  close();
  return true;
}

bool JsonParser::begin_member() {
  if (peek() != '"') return fail("expected the name of a member in double quotes");
  Slice name;
  if (!read_string(name)) return false;
  skip_space();
  if (peek() != ':') return fail("expected \":\"");
  ++at_;
  skip_space();
  return begin_value(name);
}

bool JsonParser::begin_value(Slice name) {
  if (document_.nodes_.size() >= limits_.max_values)
    return fail_limit(fmt::format("more than {} JSON values", limits_.max_values));
  const char c = peek();
  if (c == '{' || c == '[') {
    if (depth_ >= limits_.max_depth)
      return fail_limit(fmt::format("JSON nested more than {} levels deep", limits_.max_depth));
    ++at_;
    append(c == '{' ? JsonKind::object : JsonKind::array, name, {});
    open_ = static_cast<JsonId>(document_.nodes_.size() - 1);
    first_of_.push_back(members_.size());
    ++depth_;
    return true;
  }
  append(JsonKind::null, name, {});
  if (c == '"') {
    Slice value;
    if (!read_string(value)) return false;
    JsonDocument::Node& node = document_.nodes_.back();
    node.kind = JsonKind::string;
    node.begin = value.begin;
    node.length = value.length;
    return true;
  }
  if (c == '-' || is_digit(c)) return read_number();
  if (c == 't') return read_word("true", JsonKind::boolean, true);
  if (c == 'f') return read_word("false", JsonKind::boolean, false);
  if (c == 'n') return read_word("null", JsonKind::null, false);
  return fail(at_end() ? "the text ends before a value" : "expected a value");
}

bool JsonParser::append(JsonKind kind, Slice name, Slice value) {
  const auto id = static_cast<JsonId>(document_.nodes_.size());
  std::uint32_t hash = 0;
  if (open_ != kNoJson) {
    JsonDocument::Node& parent = document_.nodes_[open_];
    ++parent.length;
    if (parent.kind == JsonKind::object) {
      hash = static_cast<std::uint32_t>(
          hash64(std::string_view(text_).substr(name.begin, name.length)));
      members_.push_back(id);
    }
  }
  document_.nodes_.push_back(
      {id + 1, open_, name.begin, name.length, value.begin, value.length, hash, kind, false});
  return true;
}

void JsonParser::close() {
  JsonDocument::Node& node = document_.nodes_[open_];
  node.end = static_cast<JsonId>(document_.nodes_.size());
  const std::size_t first = first_of_.back();
  if (node.kind == JsonKind::object && members_.size() - first > 1) find_replaced_members(first);
  members_.resize(first);
  first_of_.pop_back();
  open_ = node.parent;
  --depth_;
}

// Marks every member that a later one with the same name replaces.
void JsonParser::find_replaced_members(std::size_t first) {
  auto& nodes = document_.nodes_;
  const auto mark = [&](JsonId earlier, JsonId later) {
    if (nodes[earlier].name_hash != nodes[later].name_hash || nodes[earlier].is_replaced) return;
    if (document_.name(earlier) != document_.name(later)) return;
    nodes[earlier].is_replaced = true;
    --nodes[open_].length;
  };
  const auto begin = members_.begin() + static_cast<std::ptrdiff_t>(first);
  if (static_cast<std::size_t>(members_.end() - begin) <= kFewMembers) {
    for (auto later = begin; later != members_.end(); ++later)
      for (auto earlier = begin; earlier != later; ++earlier) mark(*earlier, *later);
    return;
  }
  std::sort(begin, members_.end(), [&](JsonId a, JsonId b) {
    if (nodes[a].name_hash != nodes[b].name_hash) return nodes[a].name_hash < nodes[b].name_hash;
    const auto order = document_.name(a) <=> document_.name(b);
    return order != 0 ? order < 0 : a < b;
  });
  for (auto later = begin + 1; later != members_.end(); ++later) mark(*(later - 1), *later);
}

// Resolves escapes in place: the result is never longer.
bool JsonParser::read_string(Slice& out) {
  const std::size_t begin = ++at_;
  while (!at_end() && text_[at_] != '"' && text_[at_] != '\\' &&
         static_cast<unsigned char>(text_[at_]) >= 0x20)
    ++at_;
  std::size_t write = at_;
  while (!at_end() && text_[at_] != '"') {
    if (text_[at_] == '\\') {
      if (!read_escape(write)) return false;
    } else if (static_cast<unsigned char>(text_[at_]) < 0x20) {
      return fail("a control character in a string must be escaped");
    } else {
      text_[write++] = text_[at_++];
    }
  }
  if (at_end()) return fail("a string without its closing quote");
  ++at_;
  out = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(write - begin)};
  return true;
}

bool JsonParser::read_escape(std::size_t& write) {
  ++at_;
  constexpr std::string_view kLetters = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  const std::size_t known = kLetters.find(peek());
  if (!at_end() && known != std::string_view::npos) {
    text_[write++] = kMeanings[known];
    ++at_;
    return true;
  }
  if (peek() != 'u') return fail("unknown escape in a string");
  std::uint32_t unit = 0;
  if (!read_code_unit(unit)) return false;
  char32_t code_point = unit;
  if (unit >= 0xD800 && unit < 0xE000) {
    code_point = 0xFFFD;
    const std::size_t before = at_;
    if (unit < 0xDC00 && peek() == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] == 'u') {
      ++at_;
      std::uint32_t low = 0;
      if (!read_code_unit(low)) return false;
      if (low >= 0xDC00 && low < 0xE000)
        code_point = 0x10000 + ((unit - 0xD800) << 10U) + (low - 0xDC00);
      else
        at_ = before;
    }
  }
  std::string bytes;
  append_utf8(bytes, code_point);
  for (const char byte : bytes) text_[write++] = byte;
  return true;
}

// At the "u" of an escape.
bool JsonParser::read_code_unit(std::uint32_t& unit) {
  ++at_;
  unit = 0;
  for (int i = 0; i < 4; ++i, ++at_) {
    const char c = peek();
    unit *= 16;
    if (is_digit(c))
      unit += static_cast<std::uint32_t>(c - '0');
    else if (c >= 'a' && c <= 'f')
      unit += static_cast<std::uint32_t>(c - 'a' + 10);
    else if (c >= 'A' && c <= 'F')
      unit += static_cast<std::uint32_t>(c - 'A' + 10);
    else
      return fail("expected four hexadecimal digits after \"\\u\"");
  }
  return true;
}

bool JsonParser::read_number() {
  const std::size_t begin = at_;
  const auto skip_digits = [this] {
    const std::size_t first = at_;
    while (is_digit(peek())) ++at_;
    return at_ > first;
  };
  if (peek() == '-') ++at_;
  if (peek() == '0' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))
    return fail("a number must not begin with 0");
  if (!skip_digits()) return fail("expected a digit");
  if (peek() == '.') {
    ++at_;
    if (!skip_digits()) return fail("expected a digit after \".\"");
  }
  if (peek() == 'e' || peek() == 'E') {
    ++at_;
    if (peek() == '+' || peek() == '-') ++at_;
    if (!skip_digits()) return fail("expected a digit in the exponent");
  }
  JsonDocument::Node& node = document_.nodes_.back();
  node.kind = JsonKind::number;
  node.begin = static_cast<std::uint32_t>(begin);
  node.length = static_cast<std::uint32_t>(at_ - begin);
  return true;
}

bool JsonParser::read_word(std::string_view word, JsonKind kind, bool flag) {
  if (std::string_view(text_).substr(at_, word.size()) != word) return fail("expected a value");
  at_ += word.size();
  JsonDocument::Node& node = document_.nodes_.back();
  node.kind = kind;
  node.length = flag ? 1 : 0;
  return true;
}

void JsonParser::skip_space() {
  for (; !at_end(); ++at_) {
    const char c = text_[at_];
    if (c != ' ' && c != '\n' && c != '\r' && c != '\t') return;
    if (c != '\n') continue;
    ++line_;
    line_begin_ = at_ + 1;
  }
}

bool JsonParser::fail(std::string_view what) {
  error_ = fmt::format("JSON: line {}, column {}: {}", line_, at_ - line_begin_ + 1, what);
  return false;
}

bool JsonParser::fail_limit(std::string_view what) {
  error_ = fmt::format("too_complex: {}", what);
  return false;
}

}  // namespace heddle::pages
