#include "model/json.hpp"

#include <array>
#include <charconv>
#include <cstring>

#include <fmt/format.h>

#include "base/text.hpp"

namespace heddle {

namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";
constexpr std::uint64_t kOnes = 0x0101010101010101U;   // 1 in every byte
constexpr std::uint64_t kHighs = 0x8080808080808080U;  // the top bit of every byte
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

constexpr std::array<bool, 256> kIsPlain = [] {
  std::array<bool, 256> plain{};
  for (std::size_t c = 0x20; c < 0x80; ++c) plain[c] = c != '"' && c != '\\';
  return plain;
}();

// True when none of eight bytes needs a look: ASCII, no control character, quote or backslash.
bool are_eight_plain(const char* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  const std::uint64_t quote = word ^ (kOnes * '"');
  const std::uint64_t backslash = word ^ (kOnes * '\\');
  const std::uint64_t below_space = word - kOnes * 0x20;
  return ((word | below_space | (quote - kOnes) | (backslash - kOnes)) & kHighs) == 0;
}

std::size_t plain_prefix(std::string_view text) {
  std::size_t size = 0;
  while (size + 8 <= text.size() && are_eight_plain(text.data() + size)) size += 8;
  while (size < text.size() && kIsPlain[static_cast<unsigned char>(text[size])]) ++size;
  return size;
}

void append_escaped(std::string& out, char c) {
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      out += "\\u00";
      out += kHexDigits[static_cast<unsigned char>(c) >> 4];
      out += kHexDigits[static_cast<unsigned char>(c) & 15];
  }
}

// Appends the one character, or byte that is none, at the front; returns how much that was.
std::size_t append_special(std::string& out, std::string_view text) {
  if (static_cast<unsigned char>(text.front()) < 0x80) {
    append_escaped(out, text.front());
    return 1;
  }
  const std::size_t length = utf8_sequence_length(text);
  out += length == 0 ? kReplacement : text.substr(0, length);
  return length == 0 ? 1 : length;
}

template <class Integer>
void append_number(std::string& out, Integer number) {
  std::array<char, 20> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  out.append(digits.data(), end);
}

}  // namespace

void append_json_text(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const std::size_t plain = plain_prefix(text);
    out.append(text.data(), plain);
    text.remove_prefix(plain);
    if (!text.empty()) text.remove_prefix(append_special(out, text));
  }
}

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  append_json_text(out, text);
  out += '"';
}

JsonWriter& JsonWriter::key(std::string_view name) {
  separate();
  append_json_string(out_, name);
  out_ += ':';
  needs_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  separate();
  append_json_string(out_, text);
  return *this;
}

JsonWriter& JsonWriter::raw(std::string_view json) {
  separate();
  out_ += json;
  return *this;
}

JsonWriter& JsonWriter::decimal(double number) {
  return raw(fmt::format("{:.3f}", number));
}

JsonWriter& JsonWriter::begin(char bracket) {
  separate();
  out_ += bracket;
  needs_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::end(char bracket) {
  out_ += bracket;
  needs_comma_ = true;
  return *this;
}

JsonWriter& JsonWriter::signed_number(std::int64_t number) {
  separate();
  append_number(out_, number);
  return *this;
}

JsonWriter& JsonWriter::unsigned_number(std::uint64_t number) {
  separate();
  append_number(out_, number);
  return *this;
}

}  // namespace heddle
