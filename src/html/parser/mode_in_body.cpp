// The modes "in body" and "text" (the content of <title>, <script> and similar elements).
#include "html/parser/tree_builder.hpp"

namespace heddle::html::parser {

TokenResult in_body(TreeBuilder& builder, Token& token) {
  switch (token.kind) {
    case TokenKind::text:
      builder.reconstruct_formatting();
      builder.insert_text(token.text);
      if (builder.may_have_frameset) builder.may_have_frameset = is_all_space(token.text);
      return TokenResult::done;
    case TokenKind::start_tag:
      return body_start_tag(builder, token);
    case TokenKind::end_tag:
      return body_end_tag(builder, token);
    case TokenKind::comment:
      builder.insert_comment(token.text);
      return TokenResult::done;
    case TokenKind::end_of_file:
      return builder.template_modes.empty() ? TokenResult::done : in_template(builder, token);
    case TokenKind::nulls:
    case TokenKind::doctype:
      break;
  }
  return TokenResult::done;
}

TokenResult text(TreeBuilder& builder, Token& token) {
  if (token.kind == TokenKind::text) {
    builder.insert_text(token.text);
    return TokenResult::done;
  }
  builder.open.pop();
  builder.mode = builder.return_mode;
  return token.kind == TokenKind::end_of_file ? TokenResult::reprocess : TokenResult::done;
}

}  // namespace heddle::html::parser
