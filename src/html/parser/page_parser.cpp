#include "html/parser/page_parser.hpp"

#include <utility>

#include "html/parser/parse_budget.hpp"
#include "html/parser/tokenizer/input_stream.hpp"
#include "html/parser/tree_builder.hpp"
#include "html/parser/tree_writer.hpp"

namespace heddle::html::parser {

namespace {

// Offsets in a Document have 32 bits, and replacing invalid UTF-8 can triple a page's size.
constexpr std::size_t kMaxPageBytes = std::size_t{1} << 30U;

// Memory above this size is freed before the next page.
constexpr std::size_t kNodesWorthKeeping = 50'000;
constexpr std::size_t kBytesWorthKeeping = std::size_t{4} << 20U;

}  // namespace

Result<Document> PageParser::parse(std::string_view page, const ParseLimits& limits) {
  if (page.size() > kMaxPageBytes)
    return Error{ErrorCode::bad_input, "too_complex: the page is larger than 1 GB"};
  auto document = build(page, limits);
  if (page.size() > kBytesWorthKeeping || tree_.size() > kNodesWorthKeeping) *this = PageParser();
  return document;
}

Result<Document> PageParser::build(std::string_view page, const ParseLimits& limits) {
  tokens_.clear();
  tree_.clear();
  ParseBudget budget(limits, page.size());
  const std::string_view input = prepare_input(page, clean_copy_);
  DocumentBuilder document({});
  Tokenizer tokenizer(input, document, tokens_, budget);
  TreeBuilder builder(tokenizer, tree_, tokens_, budget);
  builder.run();
  if (budget.is_exceeded()) return budget.error();

  document.reserve({.nodes = tree_.size(),
                    .attributes = tokens_.attributes.size(),
                    .bytes = tree_.text_bytes(),
                    .value_bytes = tokens_.value_bytes + tree_.comment_bytes()});
  write_tree({tree_, tokens_.attributes, builder.late_attributes()}, document, budget);
  if (budget.is_exceeded()) return budget.error();
  return std::move(document).finish();
}

}  // namespace heddle::html::parser
