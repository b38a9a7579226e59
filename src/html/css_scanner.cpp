#include "html/css_scanner.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace heddle::html {

namespace {

constexpr char32_t kReplacement = 0xFFFD;
constexpr int kMaxHexDigits = 6;
constexpr std::size_t kLongestWord = 32;

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}
bool is_newline(char c) {
  return c == '\n' || c == '\r' || c == '\f';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool is_name_part(char c) {
  return is_name_start(c) || is_digit(c) || c == '-';
}

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

char32_t usable(char32_t code) {
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  return code == 0 || is_surrogate || code > 0x10FFFF ? kReplacement : code;
}

}  // namespace

bool CssScanner::take(char expected) {
  if (at_end() || peek() != expected) return false;
  advance();
  return true;
}

bool CssScanner::take(std::string_view expected) {
  if (css_.substr(std::min(at_, css_.size()), expected.size()) != expected) return false;
  advance(expected.size());
  return true;
}

bool CssScanner::skip_space() {
  const std::size_t start = at_;
  while (!at_end()) {
    if (is_space(peek())) {
      advance();
    } else if (peek() == '/' && peek(1) == '*') {
      const std::size_t end = css_.find("*/", at_ + 2);
      at_ = end == std::string_view::npos ? css_.size() : end + 2;
    } else {
      break;
    }
  }
  return at_ != start;
}

bool CssScanner::is_escape(std::size_t ahead) const {
  return peek(ahead) == '\\' && at_ + ahead + 1 < css_.size() && !is_newline(peek(ahead + 1));
}

bool CssScanner::starts_name() const {
  const std::size_t ahead = peek() == '-' ? 1 : 0;
  return is_name_start(peek(ahead)) || is_escape(ahead) || (ahead == 1 && peek(1) == '-');
}

// At a backslash that is_escape() accepted.
void CssScanner::take_escape(std::string& out) {
  advance();
  if (hex_value(peek()) < 0) {
    out += peek();
    return advance();
  }
  char32_t code = 0;
  for (int digits = 0; digits < kMaxHexDigits && hex_value(peek()) >= 0; ++digits) {
    code = code * 16 + static_cast<char32_t>(hex_value(peek()));
    advance();
  }
  if (!take("\r\n") && is_space(peek())) advance();  // one space ends the digits
  append_utf8(out, usable(code));
}

std::optional<std::string> CssScanner::name() {
  if (!starts_name()) return std::nullopt;
  std::string out;
  while (!at_end()) {
    if (is_name_part(peek())) {
      out += peek();
      advance();
    } else if (is_escape(0)) {
      take_escape(out);
    } else {
      break;
    }
  }
  return out;
}

std::optional<std::string> CssScanner::quoted() {
  const char quote = peek();
  if (quote != '"' && quote != '\'') return std::nullopt;
  const std::size_t start = at_;
  advance();
  std::string out;
  while (!at_end() && !is_newline(peek())) {
    if (take(quote)) return out;
    if (is_escape(0)) {
      take_escape(out);
    } else if (peek() == '\\') {  // before a line end: the string continues on the next line
      advance();
      if (!take("\r\n")) advance();
    } else {
      out += peek();
      advance();
    }
  }
  at_ = start;
  return std::nullopt;
}

std::string_view CssScanner::word(std::size_t from) const {
  const std::string_view rest = css_.substr(std::min(from, css_.size()), kLongestWord);
  const std::size_t end = rest.find_first_of(" \t\r\n\f()[]{},", 1);
  return utf8_prefix(rest, end == std::string_view::npos ? rest.size() : end);
}

}  // namespace heddle::html
