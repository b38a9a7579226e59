// Finds the end of the text of <title>, <style>, <script> and similar elements.
#include "html/parser/tokenizer/characters.hpp"
#include "html/parser/tokenizer/scan.hpp"
#include "html/parser/tokenizer/tokenizer.hpp"

namespace heddle::html::parser {

// `at` follows "<" or "</"; expects the name, then a byte that ends it.
bool Tokenizer::is_tag_of(const char* at, std::string_view name) const {
  if (!starts_with(at, name)) return false;
  at += name.size();
  return at != end_ && has_class(*at, ends_tag_name);
}

bool Tokenizer::is_end_tag_of(const char* at, std::string_view name) const {
  return end_ - at > 2 && at[0] == '<' && at[1] == '/' && is_tag_of(at + 2, name);
}

const char* Tokenizer::find_end_tag(std::string_view name) const {
  const char* at = cursor_;
  for (;; ++at) {
    at = find_any<'<'>(at, end_);
    if (at == end_ || is_end_tag_of(at, name)) return at;
  }
}

// "<!--" in a script hides its end tag: inside, "<script" opens a second level, in which "</script"
// returns to the first, and "-->" ends both. The dashes of "<!--" may belong to "-->" too.
Tokenizer::ScriptLevel Tokenizer::script_level_after(const char* at, ScriptLevel level) const {
  if (*at == '-') return starts_with(at, "-->") ? ScriptLevel::plain : level;
  switch (level) {
    case ScriptLevel::plain:
      return starts_with(at, "<!--") ? ScriptLevel::escaped : level;
    case ScriptLevel::escaped:
      return is_tag_of(at + 1, "script") ? ScriptLevel::double_escaped : level;
    case ScriptLevel::double_escaped:
      return is_end_tag_of(at, "script") ? ScriptLevel::escaped : level;
  }
  return level;
}

const char* Tokenizer::find_script_end() const {
  ScriptLevel level = ScriptLevel::plain;
  for (const char* at = cursor_;; ++at) {
    at = level == ScriptLevel::plain ? find_any<'<'>(at, end_) : find_any<'<', '-'>(at, end_);
    if (at == end_) return at;
    if (level != ScriptLevel::double_escaped && is_end_tag_of(at, "script")) return at;
    level = script_level_after(at, level);
  }
}

}  // namespace heddle::html::parser
