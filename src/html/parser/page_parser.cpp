#include "html/parser/page_parser.hpp"

#include <utility>

#include "html/parser/budget.hpp"
#include "html/parser/input_stream.hpp"
#include "html/parser/tree_builder.hpp"
#include "html/parser/tree_writer.hpp"

namespace heddle::html::parser {

Result<Document> PageParser::parse(std::string_view page, const ParseLimits& limits) {
  tokens_.clear();
  tree_.clear();
  Budget budget(limits, page.size());
  const std::string_view input = prepare_input(page, clean_copy_);
  DocumentBuilder document({0, 0, 0});
  Tokenizer tokenizer(input, document, tokens_, budget);
  TreeBuilder builder(tokenizer, tree_, tokens_, budget);
  builder.run();
  if (budget.is_exceeded()) return budget.error();

  document.reserve({tree_.size(), tokens_.attributes.size(), tree_.text_bytes()});
  write_tree({tree_, tokens_.attributes, builder.late_attributes()}, document, budget);
  if (budget.is_exceeded()) return budget.error();
  return std::move(document).finish();
}

}  // namespace heddle::html::parser
