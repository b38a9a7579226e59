#include "pages/json_path/json_path_parser.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace heddle::pages {

namespace {

constexpr std::size_t kMaxQueryBytes = 10'000;
constexpr int kMaxDepth = 60;                                // of brackets, groups and calls
constexpr std::int64_t kMaxInteger = 9'007'199'254'740'991;  // I-JSON

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

Result<std::shared_ptr<const JsonPathProgram>> JsonPathParser::parse() {
  const auto failed = [this] { return Error{ErrorCode::bad_input, std::move(error_)}; };
  program_->text = text_;
  if (text_.size() > kMaxQueryBytes)
    fail_at(kMaxQueryBytes, "longer than 10000 bytes");
  else if (!is_valid_utf8(text_))
    fail("the text is not UTF-8");
  else if (peek() != '$')
    fail("a query begins with \"$\"");
  else if (parse_query(program_->query) && !at_end())
    fail("expected \".\", \"..\" or \"[\"");
  if (!error_.empty()) return failed();
  return std::shared_ptr<const JsonPathProgram>(std::move(program_));
}

// At "$" or "@". White space behind the last segment is not part of the query.
bool JsonPathParser::parse_query(PathQuery& query) {
  query.is_relative = peek() == '@';
  ++at_;
  while (true) {
    const std::size_t end = at_;
    skip_space();
    if (peek() != '.' && peek() != '[') {
      at_ = end;
      return true;
    }
    if (!parse_segment(query)) return false;
  }
}

bool JsonPathParser::parse_segment(PathQuery& query) {
  PathSegment& segment = query.segments.emplace_back();
  if (peek() == '[') return parse_brackets(segment);
  ++at_;
  if (peek() == '.') {
    segment.is_descendant = true;
    ++at_;
    if (peek() == '[') return parse_brackets(segment);
  }
  return parse_shorthand(segment);
}

bool JsonPathParser::parse_shorthand(PathSegment& segment) {
  PathSelector& selector = segment.selectors.emplace_back();
  if (skip("*")) return true;
  if (!is_name_start(peek())) return fail("expected a name or \"*\"");
  const std::size_t begin = at_;
  while (is_name_start(peek()) || is_digit(peek())) ++at_;
  selector.kind = PathSelectorKind::name;
  selector.name = text_.substr(begin, at_ - begin);
  return true;
}

bool JsonPathParser::parse_brackets(PathSegment& segment) {
  if (!enter()) return false;
  ++at_;
  do {
    skip_space();
    if (!parse_selector(segment.selectors.emplace_back())) return false;
    skip_space();
  } while (skip(","));
  if (!skip("]")) return fail("expected \",\" or \"]\"");
  leave();
  return true;
}

bool JsonPathParser::parse_selector(PathSelector& selector) {
  const char c = peek();
  if (skip("*")) return true;
  if (c == '"' || c == '\'') {
    selector.kind = PathSelectorKind::name;
    return parse_string(selector.name);
  }
  if (skip("?")) {
    selector.kind = PathSelectorKind::filter;
    skip_space();
    FilterId id = 0;
    if (!parse_either(id)) return false;
    selector.filter = id;
    return true;
  }
  if (c == '-' || c == ':' || is_digit(c)) return parse_index_or_slice(selector);
  return fail("expected a name in quotes, a number, a slice, \"*\" or \"?\"");
}

bool JsonPathParser::parse_index_or_slice(PathSelector& selector) {
  const auto parse_part = [this](std::optional<std::int64_t>& part) {
    if (peek() != '-' && !is_digit(peek())) return true;
    std::int64_t number = 0;
    if (!parse_integer(number)) return false;
    part = number;
    return true;
  };
  selector.kind = PathSelectorKind::index;
  if (!parse_part(selector.start)) return false;
  const std::size_t after_start = at_;
  skip_space();
  if (!skip(":")) {
    at_ = after_start;
    return true;
  }
  selector.kind = PathSelectorKind::slice;
  skip_space();
  if (!parse_part(selector.end)) return false;
  const std::size_t after_end = at_;
  skip_space();
  if (!skip(":")) {
    at_ = after_end;
    return true;
  }
  skip_space();
  std::optional<std::int64_t> step;
  if (!parse_part(step)) return false;
  selector.step = step.value_or(1);
  return true;
}

bool JsonPathParser::parse_integer(std::int64_t& number) {
  const std::size_t begin = at_;
  const bool is_negative = skip("-");
  if (!is_digit(peek())) return fail("expected a digit");
  if (peek() == '0' && (is_negative || is_digit(peek(1))))
    return fail_at(begin, "a number must not begin with 0");
  number = 0;
  for (; is_digit(peek()); ++at_) {
    number = number * 10 + (peek() - '0');
    if (number > kMaxInteger) return fail_at(begin, "the number is too large");
  }
  if (is_negative) number = -number;
  return true;
}

bool JsonPathParser::parse_string(std::string& out) {
  const std::size_t begin = at_;
  const char quote = peek();
  ++at_;
  while (!at_end() && peek() != quote) {
    if (static_cast<unsigned char>(peek()) < 0x20)
      return fail("a control character in a string must be escaped");
    if (peek() == '\\') {
      if (!parse_escape(quote, out)) return false;
    } else {
      out += peek();
      ++at_;
    }
  }
  if (!skip(std::string_view(&quote, 1))) return fail_at(begin, "the closing quote is missing");
  return true;
}

bool JsonPathParser::parse_escape(char quote, std::string& out) {
  ++at_;
  constexpr std::string_view kLetters = "\\/bfnrt";
  constexpr std::string_view kMeanings = "\\/\b\f\n\r\t";
  const char c = peek();
  if (at_end()) return fail("the closing quote is missing");
  if (c == 'u') return parse_code_point(out);
  const std::size_t known = kLetters.find(c);
  if (c != quote && known == std::string_view::npos) return fail("unknown escape");
  out += c == quote ? quote : kMeanings[known];
  ++at_;
  return true;
}

bool JsonPathParser::parse_code_point(std::string& out) {
  const std::size_t begin = at_;
  std::uint32_t unit = 0;
  if (!parse_code_unit(unit)) return false;
  if (unit < 0xD800 || unit >= 0xE000) {
    append_utf8(out, unit);
    return true;
  }
  std::uint32_t low = 0;
  if (unit >= 0xDC00 || !skip("\\") || peek() != 'u')
    return fail_at(begin, "half of a surrogate pair");
  if (!parse_code_unit(low)) return false;
  if (low < 0xDC00 || low >= 0xE000) return fail_at(begin, "half of a surrogate pair");
  append_utf8(out, 0x10000 + ((unit - 0xD800) << 10U) + (low - 0xDC00));
  return true;
}

// At the "u".
bool JsonPathParser::parse_code_unit(std::uint32_t& unit) {
  ++at_;
  constexpr std::string_view kDigits = "0123456789abcdef";
  unit = 0;
  for (int i = 0; i < 4; ++i, ++at_) {
    const char c = peek() >= 'A' && peek() <= 'F' ? static_cast<char>(peek() + 32) : peek();
    const std::size_t digit = at_end() ? std::string_view::npos : kDigits.find(c);
    if (digit == std::string_view::npos)
      return fail("expected four hexadecimal digits after \"\\u\"");
    unit = unit * 16 + static_cast<std::uint32_t>(digit);
  }
  return true;
}

FilterId JsonPathParser::add(FilterExpression&& expression) {
  program_->filters.push_back(std::move(expression));
  return static_cast<FilterId>(program_->filters.size() - 1);
}

bool JsonPathParser::fail_at(std::size_t position, std::string message) {
  error_ = fmt::format("JSONPath: position {}: {}", position + 1, message);
  return false;
}

bool JsonPathParser::enter() {
  return ++depth_ <= kMaxDepth || fail(fmt::format("nested more than {} levels deep", kMaxDepth));
}

void JsonPathParser::skip_space() {
  while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r') ++at_;
}

bool JsonPathParser::skip(std::string_view text) {
  if (!text_.substr(std::min(at_, text_.size())).starts_with(text)) return false;
  at_ += text.size();
  return true;
}

}  // namespace heddle::pages
