// What the tokenizer tells the tree builder. Views point into the page or into the ParserMemory and
// stay good until the page is done; a token itself is overwritten by the next one.
#pragma once

#include <cstdint>
#include <string_view>

#include "html/document.hpp"

namespace heddle::html::parser {

// Like html::Attribute, but its value lies anywhere.
struct RawAttribute {
  const char* value;
  std::uint32_t value_length;
  NameId name : 28;
  AttributeSpace space : 4;

  [[nodiscard]] std::string_view text() const { return {value, value_length}; }
};
static_assert(sizeof(RawAttribute) == 16);

// Attributes of one tag, as places in ParserMemory::attributes.
struct AttributeRange {
  std::uint32_t begin = 0;
  std::uint32_t count = 0;
};

enum class TokenKind : std::uint8_t {
  text,   // never empty, without NUL characters
  nulls,  // NUL characters, of which only some places make U+FFFD
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
  NameId name = kNoName;  // of tags and doctypes; kNoName for the end of what was never started
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
