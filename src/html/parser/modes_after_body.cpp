// The modes after </body>, and those of pages with framesets.
#include "html/parser/tokenizer/characters.hpp"
#include "html/parser/tree_builder.hpp"

namespace heddle::html::parser {

namespace {

TokenResult back_to_body(TreeBuilder& builder) {
  builder.mode = InsertionMode::in_body;
  return TokenResult::reprocess;
}

// White space belongs to the body; any other character switches back to "in body".
bool is_space_token(const Token& token) {
  return token.kind == TokenKind::text && is_all_space(token.text);
}

// Between frames only the white space of a text is kept.
void insert_space_of(TreeBuilder& builder, std::string_view text) {
  while (!text.empty()) {
    const std::string_view space = take_space(text);
    if (!space.empty()) builder.insert_text(space);
    while (!text.empty() && !is_tree_space(text.front())) text.remove_prefix(1);
  }
}

}  // namespace

TokenResult after_body(TreeBuilder& builder, Token& token) {
  if (token.kind == TokenKind::comment) {
    builder.insert_comment_into(builder.open[0].node, token.text);
    return TokenResult::done;
  }
  if (token.kind == TokenKind::doctype || token.kind == TokenKind::end_of_file)
    return in_body(builder, token);
  if (token.is_end(known("html"))) {
    builder.mode = InsertionMode::after_after_body;
    return TokenResult::done;
  }
  if (is_space_token(token) || token.is_start(known("html"))) return in_body(builder, token);
  return back_to_body(builder);
}

TokenResult after_after_body(TreeBuilder& builder, Token& token) {
  if (token.kind == TokenKind::comment) {
    builder.insert_comment_into(NodeTree::root(), token.text);
    return TokenResult::done;
  }
  if (token.kind == TokenKind::end_of_file) return in_body(builder, token);
  const bool stays =
      token.kind == TokenKind::doctype || is_space_token(token) || token.is_start(known("html"));
  return stays ? in_body(builder, token) : back_to_body(builder);
}

TokenResult in_frameset(TreeBuilder& builder, Token& token) {
  switch (token.kind) {
    case TokenKind::text:
      insert_space_of(builder, token.text);
      return TokenResult::done;
    case TokenKind::comment:
      builder.insert_comment(token.text);
      return TokenResult::done;
    case TokenKind::end_tag:
      if (token.name != known("frameset") || builder.open.size() == 1) return TokenResult::done;
      builder.open.pop();
      if (!builder.open.is_current(known("frameset"))) builder.mode = InsertionMode::after_frameset;
      return TokenResult::done;
    case TokenKind::start_tag:
      break;
    default:
      return TokenResult::done;
  }
  if (token.name == known("html")) return in_body(builder, token);
  if (token.name == known("frameset")) builder.insert_element(token);
  if (token.name == known("frame")) builder.insert_void_element(token);
  return token.name == known("noframes") ? in_head(builder, token) : TokenResult::done;
}

TokenResult after_frameset(TreeBuilder& builder, Token& token) {
  if (token.kind == TokenKind::text) insert_space_of(builder, token.text);
  if (token.kind == TokenKind::comment) builder.insert_comment(token.text);
  if (token.is_end(known("html"))) builder.mode = InsertionMode::after_after_frameset;
  if (token.is_start(known("html"))) return in_body(builder, token);
  return token.is_start(known("noframes")) ? in_head(builder, token) : TokenResult::done;
}

TokenResult after_after_frameset(TreeBuilder& builder, Token& token) {
  if (token.kind == TokenKind::text) insert_space_of(builder, token.text);
  if (token.kind == TokenKind::comment) builder.insert_comment_into(NodeTree::root(), token.text);
  if (token.is_start(known("html"))) return in_body(builder, token);
  return token.is_start(known("noframes")) ? in_head(builder, token) : TokenResult::done;
}

}  // namespace heddle::html::parser
