// Tokenizer implements the tokenization stage of the HTML standard on a whole page in memory. Plain
// text, names and values are views into the page; only decoded text is copied. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "html/document_builder.hpp"
#include "html/parser/parse_budget.hpp"
#include "html/parser/tokenizer/text_arena.hpp"
#include "html/parser/tokenizer/token.hpp"

namespace heddle::html::parser {

// How the text after a start tag is read, up to the end tag of the same name.
enum class TextMode : std::uint8_t { rcdata, raw_text, script, plaintext };

// Reused between pages. A mode that ignores a start tag may truncate its attributes.
struct TokenMemory {
  std::vector<RawAttribute> attributes;
  TextArena texts;
  std::string buffer;
  std::vector<std::uint32_t> last_tag_with;  // by attribute name: the number of the tag
  std::size_t value_bytes = 0;               // of all attributes

  void clear() {
    attributes.clear();
    value_bytes = 0;
    texts.clear();
    last_tag_with.clear();
  }
};

class Tokenizer {
 public:
  // `page` comes from prepare_input(). New names are interned in `names`.
  Tokenizer(std::string_view page, DocumentBuilder& names, TokenMemory& memory, ParseBudget& budget)
      : cursor_(page.data()),
        end_(page.data() + page.size()),
        names_(names),
        memory_(memory),
        budget_(budget) {}

  // Returns end_of_file at the end and on every later call, or once the budget is exceeded.
  void next(Token& token);

  // Called by the tree builder: after a start tag, and before each token.
  void read_text_of(NameId tag, TextMode mode);
  void allow_cdata(bool is_allowed) { allows_cdata_ = is_allowed; }

  NameId intern(std::string_view name);
  [[nodiscard]] std::string_view name(NameId id) const { return names_.name(id); }

 private:
  enum class State : std::uint8_t { data, decoded_text, replaced_text, cdata };

  [[nodiscard]] bool starts_with(const char* at, std::string_view lower) const;
  bool next_in_data(Token& token);
  [[nodiscard]] const char* find_text_end(const char* at) const;
  bool next_in_text(Token& token);
  bool end_text();
  bool read_reference(Token& token);
  bool read_nulls(Token& token, const char* end);
  bool emit_text(Token& token, const char* text_end);

  // tokenizer_raw_text.cpp
  [[nodiscard]] const char* find_end_tag(std::string_view name) const;
  enum class ScriptLevel : std::uint8_t { plain, escaped, double_escaped };
  [[nodiscard]] ScriptLevel script_level_after(const char* at, ScriptLevel level) const;
  [[nodiscard]] const char* find_script_end() const;
  [[nodiscard]] bool is_tag_of(const char* at, std::string_view name) const;
  [[nodiscard]] bool is_end_tag_of(const char* at, std::string_view name) const;

  // tokenizer_tags.cpp
  bool read_tag(Token& token);
  NameId name_of(std::string_view raw, bool changes, bool is_new_allowed);
  const char* read_attributes(const char* at, Token& token);
  const char* read_attribute(const char* at, Token& token);
  void add_attribute(NameId name, std::string_view value, Token& token);
  const char* read_value(const char* at, std::string_view& value);
  template <class Shape>
  const char* read_value_of(const char* at, std::string_view& value);
  const char* decode_in_value(const char* at, const char*& copied_until);

  // tokenizer_markup.cpp
  bool read_markup(Token& token);
  bool read_declaration(Token& token);
  bool read_comment(Token& token, const char* begin);
  bool read_bogus_comment(Token& token, const char* begin);
  bool read_doctype(Token& token, const char* begin);
  bool emit_comment(Token& token, std::string_view text);
  std::string_view without_nulls(std::string_view text);

  const char* cursor_;
  const char* end_;
  const char* text_end_ = nullptr;  // where the text of State other than data ends
  State state_ = State::data;
  bool allows_cdata_ = false;
  std::uint32_t tags_ = 0;
  DocumentBuilder& names_;
  TokenMemory& memory_;
  ParseBudget& budget_;
};

}  // namespace heddle::html::parser
