// Where the text of <title>, <style>, <script> and their like ends.
#include "html/parser/characters.hpp"
#include "html/parser/scan.hpp"
#include "html/parser/tokenizer.hpp"

namespace heddle::html::parser {

// `at` stands behind "<" or "</": the name, then something that ends it.
bool Tokenizer::is_tag_of(const char* at, std::string_view name) const {
  if (!starts_with(at, name)) return false;
  at += name.size();
  return at != end_ && has_class(*at, ends_tag_name);
}

bool Tokenizer::is_end_tag_of(const char* at, std::string_view name) const {
  return end_ - at > 2 && at[1] == '/' && is_tag_of(at + 2, name);
}

const char* Tokenizer::find_end_tag(std::string_view name) const {
  const char* at = cursor_;
  for (;; ++at) {
    at = find_any<'<'>(at, end_);
    if (at == end_ || is_end_tag_of(at, name)) return at;
  }
}

// "<!--" in a script hides its end tag: inside, "<script" opens a second level, in which "</script"
// only leads back to the first, and "-->" ends both.
const char* Tokenizer::find_script_end() const {
  enum class Level : std::uint8_t { plain, escaped, double_escaped };
  Level level = Level::plain;
  for (const char* at = cursor_;; ++at) {
    at = level == Level::plain ? find_any<'<'>(at, end_) : find_any<'<', '-'>(at, end_);
    if (at == end_) return at;
    if (*at == '-') {
      if (starts_with(at, "-->")) level = Level::plain;
    } else if (is_end_tag_of(at, "script")) {
      if (level != Level::double_escaped) return at;
      level = Level::escaped;
    } else if (level == Level::plain && starts_with(at, "<!--")) {
      level = Level::escaped;
      ++at;  // not over the dashes: they may belong to "-->" too
    } else if (level == Level::escaped && is_tag_of(at + 1, "script")) {
      level = Level::double_escaped;
    }
  }
}

}  // namespace heddle::html::parser
