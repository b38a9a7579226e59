// The named character references of the HTML standard, packed into 60 KB of constant data.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace heddle::html::parser {

inline constexpr std::size_t kNamedReferences = 2125;
inline constexpr std::size_t kReferenceSlots = 8192;

struct NamedReference {
  std::uint16_t begin;  // in kReferenceText: the name without '&' and ';', then its text
  std::uint8_t name_length;
  std::uint8_t text_length : 7;
  std::uint8_t may_lack_semicolon : 1;
};

extern const char kReferenceText[];
extern const std::array<NamedReference, kNamedReferences> kReferenceRows;
extern const std::array<std::uint16_t, kReferenceSlots> kReferenceIndex;  // row + 1; 0 is free

// tools/make_character_references.py fills kReferenceIndex with the same sum.
constexpr std::uint32_t reference_hash(std::string_view name) {
  std::uint32_t hash = 0;
  for (const char letter : name) hash = hash * 31 + static_cast<unsigned char>(letter);
  return hash;
}

}  // namespace heddle::html::parser
