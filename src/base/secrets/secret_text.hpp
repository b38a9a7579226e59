// Texts that refer to secrets, such as "https://shop.test/?key=${env:TOKEN}". The text itself is
// stored, shown and compared; resolve_references() gives the text with the values, right before it
// is used. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace heddle {

// A secret value of the configuration and the text that replaces it wherever it could be stored.
struct Secret {
  std::string shown;  // "${env:TOKEN}", or "[redacted]" for a value that a file has literally
  std::string value;
  bool in_pages = false;  // also replaced in the content of pages: no other text looks like it

  auto operator<=>(const Secret&) const = default;
};

// The length of "${env:…}" or "${file:…}" at the front of the text; 0 when there is none.
std::size_t reference_length(std::string_view text);

// Makes a text without secrets one that resolves to itself: "${env:X}" becomes "$${env:X}".
std::string escape_references(std::string_view text);

// Replaces every reference by its value, and "$${env:X}" by "${env:X}". `not_found` when a
// reference is not among the secrets: stored text never reaches other variables or files.
Result<std::string> resolve_references(std::string_view text, const std::vector<Secret>& secrets);

}  // namespace heddle
