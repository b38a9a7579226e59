// <template>: its content is kept as its children, whatever it may be part of later.
#include "html/parser/tree_builder.hpp"

namespace heddle::html::parser {

Step template_start_tag(TreeBuilder& builder, Token& token) {
  builder.insert_element(token);
  builder.formatting.push_marker();
  builder.may_have_frameset = false;
  builder.mode = Mode::in_template;
  builder.template_modes.push_back(Mode::in_template);
  return Step::done;
}

namespace {

void close_template(TreeBuilder& builder) {
  builder.open.pop_until(known("template"));
  builder.formatting.clear_to_marker();
  builder.template_modes.pop_back();
  builder.reset_mode();
}

// What a template begins with says what it is part of.
Mode mode_for(NameId tag) {
  switch (tag) {
    case known("caption"):
    case known("colgroup"):
    case known("tbody"):
    case known("tfoot"):
    case known("thead"):
      return Mode::in_table;
    case known("col"):
      return Mode::in_column_group;
    case known("tr"):
      return Mode::in_table_body;
    case known("td"):
    case known("th"):
      return Mode::in_row;
    default:
      return Mode::in_body;
  }
}

}  // namespace

Step template_end_tag(TreeBuilder& builder) {
  if (builder.is_template_open()) close_template(builder);
  return Step::done;
}

Step in_template(TreeBuilder& builder, Token& token) {
  switch (token.kind) {
    case TokenKind::end_tag:
      return token.name == known("template") ? template_end_tag(builder) : Step::done;
    case TokenKind::end_of_file:
      if (!builder.is_template_open()) return Step::done;
      close_template(builder);
      return Step::again;
    case TokenKind::start_tag:
      break;
    default:
      return in_body(builder, token);
  }
  if ((html_traits(token.name) & is_head_content) != 0) return in_head(builder, token);
  builder.template_modes.back() = mode_for(token.name);
  builder.mode = builder.template_modes.back();
  return Step::again;
}

}  // namespace heddle::html::parser
