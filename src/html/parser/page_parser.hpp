// PageParser runs all stages of parsing one page and owns the memory they share. html::Parser
// reuses it between pages. Not thread-safe.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "html/document.hpp"
#include "html/parse.hpp"
#include "html/parser/node_tree.hpp"
#include "html/parser/tokenizer/tokenizer.hpp"

namespace heddle::html::parser {

class PageParser {
 public:
  Result<Document> parse(std::string_view page, const ParseLimits& limits);

 private:
  Result<Document> build(std::string_view page, const ParseLimits& limits);

  std::string clean_copy_;
  TokenMemory tokens_;
  NodeTree tree_;
};

}  // namespace heddle::html::parser
