#include "base/log/printable.hpp"

namespace heddle {

std::string printable(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const auto next = at + 1 < text.size() ? static_cast<unsigned char>(text[at + 1]) : 0U;
    const bool is_second_set = byte == 0xC2 && next >= 0x80 && next < 0xA0;  // U+0080 to U+009F
    const bool is_control = (byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7F;
    if (!is_control && !is_second_set) {
      out += text[at];
      continue;
    }
    const unsigned code = is_second_set ? next : byte;
    out.append("\\x").append(1, kDigits[code >> 4U]).append(1, kDigits[code & 15U]);
    if (is_second_set) ++at;
  }
  return out;
}

}  // namespace heddle
