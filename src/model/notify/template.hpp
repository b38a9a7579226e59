// Message templates: plain text with {tags}. Pure; a parsed template may be shared by threads.
//
// A tag is "{name}" with a name of 1 to 64 bytes that has no braces, line breaks or control
// characters. An unknown tag stays as it is written, and so does any other brace: "{{x}}" is
// the value of x between two braces. Values are inserted once and never searched for tags
// themselves.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

// How inserted values are escaped.
enum class TextFormat {
  plain,        // control characters are left out, except line breaks and tabs
  single_line,  // as plain; runs of line breaks and tabs become one space
  json,         // for the inside of a JSON string
  html,         // as plain; markup characters become character references
};

// The text made safe for `format`; bytes that are not UTF-8 become U+FFFD.
std::string escape_text(std::string_view text, TextFormat format);

class Template {
 public:
  // nullopt: no such tag. The text must stay valid until render() returns.
  using Lookup = std::function<std::optional<std::string_view>(std::string_view tag)>;

  struct Shape {
    TextFormat format = TextFormat::plain;
    std::size_t max_bytes = 64UL * 1024;
  };

  static Template parse(std::string_view text);

  // The template's own text has priority when space is short; values share the rest, in order, and
  // end with "…" when cut. Cuts never split a character or an escape sequence.
  [[nodiscard]] std::string render(const Lookup& lookup, const Shape& shape) const;

 private:
  struct Part {
    std::string text;  // of a tag: with its braces
    bool is_tag = false;
  };
  std::vector<Part> parts_;
};

}  // namespace heddle
