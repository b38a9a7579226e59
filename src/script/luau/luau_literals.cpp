#include "script/luau/luau_literals.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include <fmt/format.h>

namespace heddle::script {
namespace {

constexpr std::uint64_t kExactInDouble = std::uint64_t{1} << 53;
constexpr std::uint32_t kMaxCodePoint = 0x10FFFF;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_hex_digit(char c) {
  return is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
}

std::size_t count_digits(std::string_view text) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_digit) -
                                  text.begin());
}

// "12", "12.5", ".5", "5.", each with an exponent or without.
bool is_decimal(std::string_view text) {
  const std::size_t whole = count_digits(text);
  text.remove_prefix(whole);
  std::size_t fraction = 0;
  if (text.starts_with('.')) {
    fraction = count_digits(text.substr(1));
    text.remove_prefix(1 + fraction);
  }
  if (whole + fraction == 0) return false;
  if (text.empty()) return true;
  if ((text[0] | 0x20) != 'e') return false;
  text.remove_prefix(1);
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && count_digits(text) == text.size();
}

std::optional<std::string> read_integer(std::string_view digits, int base) {
  std::uint64_t value = 0;
  const auto [end, problem] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (problem != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  // Numbers of Luau are doubles.
  if (value > kExactInDouble) return fmt::format("{:a}", static_cast<double>(value));
  return fmt::format("{}", value);
}

void append_utf8(std::string& bytes, std::uint32_t code) {
  const auto append = [&bytes](std::uint32_t byte) { bytes += static_cast<char>(byte); };
  if (code < 0x80) return append(code);
  if (code < 0x800) {
    append(0xC0 | code >> 6);
    return append(0x80 | (code & 0x3F));
  }
  if (code < 0x10000) {
    append(0xE0 | code >> 12);
  } else {
    append(0xF0 | code >> 18);
    append(0x80 | (code >> 12 & 0x3F));
  }
  append(0x80 | (code >> 6 & 0x3F));
  append(0x80 | (code & 0x3F));
}

// Reads escape sequences; `rest` begins behind the backslash.
class EscapeReader {
 public:
  EscapeReader(std::string_view& rest, std::string& bytes) : rest_(rest), bytes_(bytes) {}

  bool read() {
    if (rest_.empty()) return false;
    const char c = rest_[0];
    if (is_digit(c)) return read_decimal();
    rest_.remove_prefix(1);
    if (c == 'x') return read_hexadecimal();
    if (c == 'u') return read_code_point();
    if (c == 'z') {
      rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\n\v\f\r"), rest_.size()));
      return true;
    }
    if (c == '\r' || c == '\n') return read_break(c);
    constexpr std::string_view kNames = "abfnrtv";
    constexpr std::string_view kBytes = "\a\b\f\n\r\t\v";
    const std::size_t known = kNames.find(c);
    bytes_ += known == std::string_view::npos ? c : kBytes[known];
    return true;
  }

 private:
  bool read_break(char first) {
    if (!rest_.empty() && (rest_[0] == '\r' || rest_[0] == '\n') && rest_[0] != first)
      rest_.remove_prefix(1);
    bytes_ += '\n';
    return true;
  }

  bool read_decimal() {
    const std::size_t digits = std::min<std::size_t>(count_digits(rest_), 3);
    const auto code = number(rest_.substr(0, digits), 10);
    if (!code || *code > 255) return false;
    bytes_ += static_cast<char>(*code);
    rest_.remove_prefix(digits);
    return true;
  }

  bool read_hexadecimal() {
    const std::string_view digits = rest_.substr(0, 2);
    const auto code = number(digits, 16);
    if (digits.size() < 2 || !code) return false;
    bytes_ += static_cast<char>(*code);
    rest_.remove_prefix(2);
    return true;
  }

  bool read_code_point() {
    const std::size_t close = rest_.find('}');
    if (!rest_.starts_with('{') || close == std::string_view::npos) return false;
    const auto code = number(rest_.substr(1, close - 1), 16);
    if (!code || *code > kMaxCodePoint) return false;
    append_utf8(bytes_, *code);
    rest_.remove_prefix(close + 1);
    return true;
  }

  static std::optional<std::uint32_t> number(std::string_view digits, int base) {
    std::uint32_t value = 0;
    if (!std::all_of(digits.begin(), digits.end(), is_hex_digit)) return std::nullopt;
    const auto [end, problem] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    if (problem != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return value;
  }

  std::string_view& rest_;
  std::string& bytes_;
};

}  // namespace

bool is_luau_number(std::string_view number) {
  return number.find('_') != std::string_view::npos || number.starts_with("0b") ||
         number.starts_with("0B");
}

std::optional<std::string> translate_number(std::string_view number) {
  std::string plain(number);
  plain.erase(std::remove(plain.begin(), plain.end(), '_'), plain.end());
  const std::string_view digits =
      std::string_view(plain).substr(std::min<std::size_t>(2, plain.size()));
  if (plain.starts_with("0b") || plain.starts_with("0B")) return read_integer(digits, 2);
  if (plain.starts_with("0x") || plain.starts_with("0X")) return read_integer(digits, 16);
  if (!is_decimal(plain)) return std::nullopt;
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
  const bool is_whole = end == plain.data() + plain.size();
  if (is_whole && (problem != std::errc() || value > kExactInDouble)) plain += ".0";
  return plain;
}

std::optional<std::string> read_interpolated_text(std::string_view text) {
  std::string bytes;
  while (!text.empty()) {
    const std::size_t plain = std::min(text.find('\\'), text.size());
    bytes += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    text.remove_prefix(1);
    if (!EscapeReader(text, bytes).read()) return std::nullopt;
  }
  return bytes;
}

std::string quote_for_lua(std::string_view bytes) {
  std::string quoted = "\"";
  for (const char c : bytes) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      quoted += {'\\', c};
    else if (code < 0x20 || code == 0x7F)
      quoted += fmt::format("\\{:03}", code);
    else
      quoted += c;
  }
  return quoted + '"';
}

}  // namespace heddle::script
