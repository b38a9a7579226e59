#include "html/parse.hpp"

#include "html/parser/page_parser.hpp"

namespace heddle::html {

class Parser::Impl {
 public:
  parser::PageParser pages;
};

Parser::Parser() : impl_(std::make_unique<Impl>()) {}
Parser::~Parser() = default;
Parser::Parser(Parser&&) noexcept = default;
Parser& Parser::operator=(Parser&&) noexcept = default;

Result<Document> Parser::parse(std::string_view utf8, const ParseLimits& limits) {
  return impl_->pages.parse(utf8, limits);
}

Result<Document> parse(std::string_view utf8, const ParseLimits& limits) {
  return parser::PageParser().parse(utf8, limits);
}

}  // namespace heddle::html
