// Parses the bytes of a page into a Document as a browser does; malformed pages are repaired.
// Only pages beyond the limits (nodes, depth, work) are rejected.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "base/result.hpp"
#include "html/document.hpp"

namespace heddle::html {

struct ParseLimits {
  std::size_t max_nodes = 300'000;  // config key limits.nodes; attributes are counted separately
  std::size_t max_depth = 1'000;    // config key limits.html_depth
};

// Reuses its memory between pages, which makes small pages several times faster; frees it after a
// large page. One Parser per thread.
class Parser {
 public:
  Parser();
  ~Parser();
  Parser(Parser&&) noexcept;
  Parser& operator=(Parser&&) noexcept;

  // The text is UTF-8; bytes that are not become U+FFFD. Fails only with bad_input "too_complex:
  // …".
  Result<Document> parse(std::string_view utf8, const ParseLimits& limits = {});

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// For a single page; keep a Parser to parse many.
Result<Document> parse(std::string_view utf8, const ParseLimits& limits = {});

}  // namespace heddle::html
