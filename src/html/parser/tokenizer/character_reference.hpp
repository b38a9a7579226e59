// Decodes character references: "&amp;", "&#x20AC;", and those without a semicolon.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace heddle::html::parser {

struct CharacterReference {
  std::size_t consumed = 0;  // bytes of the source, '&' included; 0: no reference
  std::array<char, 8> bytes{};
  std::uint8_t size = 0;

  [[nodiscard]] std::string_view text() const { return {bytes.data(), size}; }
};

// `source` starts with '&'. In attributes "&copy=1" stays unchanged, in text it does not.
CharacterReference read_character_reference(std::string_view source, bool in_attribute);

}  // namespace heddle::html::parser
