// The mode "in template". A template's content becomes its children.
#include "html/parser/tree_builder.hpp"

namespace heddle::html::parser {

TokenResult template_start_tag(TreeBuilder& builder, Token& token) {
  builder.insert_element(token);
  builder.formatting.push_marker();
  builder.may_have_frameset = false;
  builder.mode = InsertionMode::in_template;
  builder.template_modes.push_back(InsertionMode::in_template);
  return TokenResult::done;
}

namespace {

void close_template(TreeBuilder& builder) {
  builder.open.pop_until(known("template"));
  builder.formatting.clear_to_marker();
  builder.template_modes.pop_back();
  builder.reset_mode();
}

// The first tag of a template determines its mode.
InsertionMode mode_for(NameId tag) {
  switch (tag) {
    case known("caption"):
    case known("colgroup"):
    case known("tbody"):
    case known("tfoot"):
    case known("thead"):
      return InsertionMode::in_table;
    case known("col"):
      return InsertionMode::in_column_group;
    case known("tr"):
      return InsertionMode::in_table_body;
    case known("td"):
    case known("th"):
      return InsertionMode::in_row;
    default:
      return InsertionMode::in_body;
  }
}

}  // namespace

TokenResult template_end_tag(TreeBuilder& builder) {
  if (builder.is_template_open()) close_template(builder);
  return TokenResult::done;
}

TokenResult in_template(TreeBuilder& builder, Token& token) {
  switch (token.kind) {
    case TokenKind::end_tag:
      return token.name == known("template") ? template_end_tag(builder) : TokenResult::done;
    case TokenKind::end_of_file:
      if (!builder.is_template_open()) return TokenResult::done;
      close_template(builder);
      return TokenResult::reprocess;
    case TokenKind::start_tag:
      break;
    default:
      return in_body(builder, token);
  }
  if ((html_traits(token.name) & is_head_content) != 0) return in_head(builder, token);
  builder.template_modes.back() = mode_for(token.name);
  builder.mode = builder.template_modes.back();
  return TokenResult::reprocess;
}

}  // namespace heddle::html::parser
