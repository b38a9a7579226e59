// The mode most of a page is read in, and the mode of the text of <title>, <script> and their like.
#include "html/parser/tree_builder.hpp"

namespace heddle::html::parser {

Step in_body(TreeBuilder& builder, Token& token) {
  switch (token.kind) {
    case TokenKind::text:
      builder.reconstruct_formatting();
      builder.insert_text(token.text);
      if (builder.may_have_frameset) builder.may_have_frameset = is_all_space(token.text);
      return Step::done;
    case TokenKind::start_tag:
      return body_start_tag(builder, token);
    case TokenKind::end_tag:
      return body_end_tag(builder, token);
    case TokenKind::comment:
      builder.insert_comment(token.text);
      return Step::done;
    case TokenKind::end_of_file:
      return builder.template_modes.empty() ? Step::done : in_template(builder, token);
    case TokenKind::nulls:
    case TokenKind::doctype:
      break;
  }
  return Step::done;
}

Step text(TreeBuilder& builder, Token& token) {
  if (token.kind == TokenKind::text) {
    builder.insert_text(token.text);
    return Step::done;
  }
  builder.open.pop();
  builder.mode = builder.return_mode;
  return token.kind == TokenKind::end_of_file ? Step::again : Step::done;
}

}  // namespace heddle::html::parser
