// Decodes a body to UTF-8 and detects its encoding as a browser does. Pure.
#pragma once

#include <string>
#include <string_view>

namespace heddle::net {

struct DecodedText {
  std::string text;     // valid UTF-8, without byte order mark
  std::string charset;  // what it was decoded from: "utf-8", "windows-1252", "shift_jis", …
};

// Looks at the byte order mark, then the header's charset, then the document's own declaration
// within the first 1024 bytes; else UTF-8 if it is, windows-1252 if not. Invalid bytes become
// U+FFFD. A body that is UTF-8 already is not copied.
DecodedText decode_to_utf8(std::string body, std::string_view content_type);

// The charset parameter of a Content-Type value; empty when absent.
std::string_view charset_parameter(std::string_view content_type);

// The encoding label that an HTML or XML document declares; empty when it declares none.
std::string declared_charset(std::string_view start_of_document);

}  // namespace heddle::net
