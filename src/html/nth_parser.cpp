#include "html/nth_parser.hpp"

#include "base/text.hpp"

namespace heddle::html {

namespace {

constexpr int kLargest = 1'000'000;  // more than the nodes of any page

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::optional<int> take_digits(CssScanner& scanner) {
  if (!is_digit(scanner.peek())) return std::nullopt;
  int value = 0;
  for (; is_digit(scanner.peek()); scanner.advance())
    if (value < kLargest) value = value * 10 + (scanner.peek() - '0');
  return value;
}

// +1, -1, or 0 when there is no sign.
int take_sign(CssScanner& scanner) {
  if (scanner.take('+')) return 1;
  return scanner.take('-') ? -1 : 0;
}

bool take_word(CssScanner& scanner, std::string_view word) {
  const auto start = scanner;
  const auto name = scanner.name();
  if (name && equals_ignoring_case(*name, word)) return true;
  scanner = start;
  return false;
}

// The part after the "n": nothing, "+1", "- 3".
std::optional<int> parse_offset(CssScanner& scanner) {
  auto ahead = scanner;
  ahead.skip_space();
  const int sign = take_sign(ahead);
  if (sign == 0) return 0;
  ahead.skip_space();
  const auto digits = take_digits(ahead);
  if (!digits) return std::nullopt;
  scanner = ahead;
  return sign * *digits;
}

}  // namespace

std::optional<NthPattern> parse_nth(CssScanner& scanner) {
  if (take_word(scanner, "even")) return NthPattern{2, 0};
  if (take_word(scanner, "odd")) return NthPattern{2, 1};

  const int sign = take_sign(scanner);
  const auto digits = take_digits(scanner);
  if (scanner.peek() != 'n' && scanner.peek() != 'N') {
    if (!digits) return std::nullopt;
    return NthPattern{0, (sign < 0 ? -1 : 1) * *digits};
  }
  scanner.advance();
  const auto offset = parse_offset(scanner);
  if (!offset) return std::nullopt;
  return NthPattern{(sign < 0 ? -1 : 1) * digits.value_or(1), *offset};
}

}  // namespace heddle::html
