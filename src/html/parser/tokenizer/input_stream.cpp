#include "html/parser/tokenizer/input_stream.hpp"

#include <cstddef>

#include "html/parser/tokenizer/characters.hpp"
#include "html/parser/tokenizer/scan.hpp"

namespace heddle::html::parser {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

struct Utf8Sequence {
  std::size_t length;  // when invalid: of the bytes to replace
  bool is_valid;
};

struct SecondByte {
  unsigned low;
  unsigned high;
};

// The second byte reveals overlong forms, surrogates and code points above U+10FFFF.
SecondByte allowed_second_byte(unsigned lead) {
  switch (lead) {
    case 0xE0:
      return {0xA0, 0xBF};
    case 0xED:
      return {0x80, 0x9F};
    case 0xF0:
      return {0x90, 0xBF};
    case 0xF4:
      return {0x80, 0x8F};
    default:
      return {0x80, 0xBF};
  }
}

std::size_t expected_length(unsigned lead) {
  if (lead >= 0xC2 && lead <= 0xDF) return 2;
  if (lead >= 0xE0 && lead <= 0xEF) return 3;
  return lead >= 0xF0 && lead <= 0xF4 ? 4 : 1;
}

Utf8Sequence sequence_at(const char* at, const char* end) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(at[i]); };
  const std::size_t expected = expected_length(byte(0));
  if (expected == 1) return {1, false};
  const auto available = static_cast<std::size_t>(end - at);
  const SecondByte second = allowed_second_byte(byte(0));
  if (available < 2 || byte(1) < second.low || byte(1) > second.high) return {1, false};
  for (std::size_t i = 2; i < expected; ++i)
    if (i >= available || (byte(i) & 0xC0U) != 0x80U) return {i, false};
  return {expected, true};
}

// The first byte that must be changed.
const char* find_unclean(const char* at, const char* end) {
  while (true) {
    at = skip_plain_ascii(at, end);
    if (at == end || *at == '\r') return at;
    do {
      const Utf8Sequence sequence = sequence_at(at, end);
      if (!sequence.is_valid) return at;
      at += sequence.length;
    } while (at != end && static_cast<unsigned char>(*at) >= 0x80);
  }
}

}  // namespace

std::string_view prepare_input(std::string_view page, std::string& copy) {
  if (page.starts_with(kByteOrderMark)) page.remove_prefix(kByteOrderMark.size());

  const char* at = page.data();
  const char* const end = at + page.size();
  const char* unclean = find_unclean(at, end);
  if (unclean == end) return page;

  copy.clear();
  copy.reserve(page.size());
  while (unclean != end) {
    copy.append(at, unclean);
    if (*unclean == '\r') {
      copy += '\n';
      at = unclean + (end - unclean > 1 && unclean[1] == '\n' ? 2 : 1);
    } else {
      copy += kReplacementCharacter;
      at = unclean + sequence_at(unclean, end).length;
    }
    unclean = find_unclean(at, end);
  }
  copy.append(at, end);
  return copy;
}

}  // namespace heddle::html::parser
