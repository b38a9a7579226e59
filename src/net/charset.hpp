// Turns a body in whatever encoding it came into UTF-8, deciding like a browser. Pure.
#pragma once

#include <string>
#include <string_view>

namespace heddle::net {

struct DecodedText {
  std::string text;     // valid UTF-8, without byte order mark
  std::string charset;  // what it was decoded from: "utf-8", "windows-1252", "shift_jis", …
};

// Looks at the byte order mark, then the header's charset, then the document's own declaration
// within the first 1024 bytes; else UTF-8 if it is, windows-1252 if not. Bytes that make no sense
// become U+FFFD. A body that is UTF-8 already is not copied.
DecodedText decode_to_utf8(std::string body, std::string_view content_type);

// The charset parameter of a Content-Type value; empty when absent.
std::string_view charset_parameter(std::string_view content_type);

// What an HTML or XML document says about its own encoding (a label); empty when it does not.
std::string declared_charset(std::string_view start_of_document);

}  // namespace heddle::net
