// Token is what the tokenizer passes to the tree builder. Views point into the page or into the
// TokenMemory and are valid until the page is parsed; each token overwrites the one before.
#pragma once

#include <cstdint>
#include <string_view>

#include "html/document.hpp"

namespace heddle::html::parser {

// Like html::Attribute, but its value may be at any address.
struct RawAttribute {
  const char* value;
  std::uint32_t value_length;
  NameId name : 28;
  AttributeSpace space : 4;

  [[nodiscard]] std::string_view text() const { return {value, value_length}; }
};
static_assert(sizeof(RawAttribute) == 16);

// Attributes of one tag: a range of TokenMemory::attributes.
struct AttributeRange {
  std::uint32_t begin = 0;
  std::uint32_t count = 0;
};

enum class TokenKind : std::uint8_t {
  text,   // never empty, without NUL characters
  nulls,  // NUL characters, which only some modes replace by U+FFFD
  start_tag,
  end_tag,
  comment,
  doctype,
  end_of_file,
};

struct Token {
  TokenKind kind = TokenKind::end_of_file;
  bool is_self_closing = false;
  bool forces_quirks = false;  // of doctypes
  bool has_public_id = false;
  bool has_system_id = false;
  NameId name = kNoName;  // of tags and doctypes; kNoName for an end tag of an unknown name
  AttributeRange attributes;
  std::string_view text;
  std::string_view public_id;
  std::string_view system_id;

  [[nodiscard]] bool is_start(NameId tag) const {
    return kind == TokenKind::start_tag && name == tag;
  }
  [[nodiscard]] bool is_end(NameId tag) const { return kind == TokenKind::end_tag && name == tag; }
};

}  // namespace heddle::html::parser
