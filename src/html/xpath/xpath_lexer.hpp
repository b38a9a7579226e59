// Splits the text of an XPath expression into tokens. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace heddle::html {

enum class XPathTokenKind : std::uint8_t { number, literal, name, symbol, operation, end };

struct XPathToken {
  XPathTokenKind kind = XPathTokenKind::end;
  std::string_view text;  // a literal without its quotes; a name with its prefix ("p:n", "p:*")
  std::size_t position = 0;

  // Of symbols and operators: "and", "*" (times), "(" …
  [[nodiscard]] bool is(std::string_view wanted) const {
    return text == wanted && (kind == XPathTokenKind::symbol || kind == XPathTokenKind::operation);
  }
};

// The last token is the end. Decides by the rule of the standard whether "*", "and", "or", "div"
// and "mod" are operators. Fails with "XPath: position 12: …".
Result<std::vector<XPathToken>> xpath_tokens(std::string_view text);

Error xpath_error(std::size_t position, std::string_view message);

}  // namespace heddle::html
