// The modes up to <body>; they insert <html>, <head> and <body> where these are missing.
#include "html/parser/quirks.hpp"
#include "html/parser/tree_builder.hpp"

namespace heddle::html::parser {

namespace {

// These four end tags are processed like other tokens; all other end tags are ignored.
bool is_processed_end_tag(const Token& token) {
  if (token.kind != TokenKind::end_tag) return false;
  return token.name == known("head") || token.name == known("body") ||
         token.name == known("html") || token.name == known("br");
}

bool is_ignored_end_tag(const Token& token) {
  return token.kind == TokenKind::end_tag && !is_processed_end_tag(token);
}

// Removes leading white space from a text; returns whether nothing is left.
bool drops_space(Token& token) {
  if (token.kind != TokenKind::text) return false;
  take_space(token.text);
  return token.text.empty();
}

bool keeps_space(TreeBuilder& builder, Token& token) {
  if (token.kind != TokenKind::text) return false;
  const std::string_view space = take_space(token.text);
  if (!space.empty()) builder.insert_text(space);
  return token.text.empty();
}

TokenResult go_on_in(TreeBuilder& builder, InsertionMode mode) {
  builder.mode = mode;
  return TokenResult::reprocess;
}

}  // namespace

TokenResult initial(TreeBuilder& builder, Token& token) {
  if (drops_space(token)) return TokenResult::done;
  if (token.kind == TokenKind::comment) {
    builder.insert_comment_into(NodeTree::root(), token.text);
    return TokenResult::done;
  }
  builder.mode = InsertionMode::before_html;
  if (token.kind != TokenKind::doctype) {
    builder.is_quirks_mode = true;
    return TokenResult::reprocess;
  }
  builder.insert_doctype(token);
  builder.is_quirks_mode = requires_quirks_mode(token, token.name == known("html"));
  return TokenResult::done;
}

TokenResult before_html(TreeBuilder& builder, Token& token) {
  if (token.kind == TokenKind::doctype || drops_space(token)) return TokenResult::done;
  if (token.kind == TokenKind::comment) {
    builder.insert_comment_into(NodeTree::root(), token.text);
    return TokenResult::done;
  }
  if (is_ignored_end_tag(token)) return TokenResult::done;
  const bool is_html = token.is_start(known("html"));
  builder.insert_root(is_html ? token.attributes : AttributeRange{});
  builder.mode = InsertionMode::before_head;
  return is_html ? TokenResult::done : TokenResult::reprocess;
}

TokenResult before_head(TreeBuilder& builder, Token& token) {
  if (token.kind == TokenKind::doctype || drops_space(token)) return TokenResult::done;
  if (token.kind == TokenKind::comment) {
    builder.insert_comment(token.text);
    return TokenResult::done;
  }
  if (token.is_start(known("html"))) return in_body(builder, token);
  if (is_ignored_end_tag(token)) return TokenResult::done;
  const bool is_head = token.is_start(known("head"));
  builder.head = is_head ? builder.insert_element(token) : builder.insert_element(known("head"));
  builder.mode = InsertionMode::in_head;
  return is_head ? TokenResult::done : TokenResult::reprocess;
}

namespace {

TokenResult close_head(TreeBuilder& builder) {
  builder.open.pop();
  return go_on_in(builder, InsertionMode::after_head);
}

TokenResult head_start_tag(TreeBuilder& builder, Token& token) {
  switch (token.name) {
    case known("html"):
      return in_body(builder, token);
    case known("base"):
    case known("basefont"):
    case known("bgsound"):
    case known("link"):
    case known("meta"):
      builder.insert_void_element(token);
      return TokenResult::done;
    case known("title"):
      builder.insert_text_element(token, TextMode::rcdata);
      return TokenResult::done;
    case known("noframes"):
    case known("style"):
      builder.insert_text_element(token, TextMode::raw_text);
      return TokenResult::done;
    case known("script"):
      builder.insert_text_element(token, TextMode::script);
      return TokenResult::done;
    case known("noscript"):  // scripts never run here
      builder.insert_element(token);
      builder.mode = InsertionMode::in_head_noscript;
      return TokenResult::done;
    case known("template"):
      return template_start_tag(builder, token);
    case known("head"):
      return TokenResult::done;
    default:
      return close_head(builder);
  }
}

}  // namespace

TokenResult in_head(TreeBuilder& builder, Token& token) {
  if (token.kind == TokenKind::doctype || keeps_space(builder, token)) return TokenResult::done;
  if (token.kind == TokenKind::comment) {
    builder.insert_comment(token.text);
    return TokenResult::done;
  }
  if (token.kind == TokenKind::start_tag) return head_start_tag(builder, token);
  if (token.is_end(known("template"))) return template_end_tag(builder);
  if (is_ignored_end_tag(token)) return TokenResult::done;
  close_head(builder);
  return token.is_end(known("head")) ? TokenResult::done : TokenResult::reprocess;
}

TokenResult in_head_noscript(TreeBuilder& builder, Token& token) {
  if (token.kind == TokenKind::doctype || keeps_space(builder, token)) return TokenResult::done;
  if (token.kind == TokenKind::comment) return in_head(builder, token);
  if (token.is_start(known("html"))) return in_body(builder, token);
  const bool ends = token.is_end(known("noscript"));
  if (token.kind == TokenKind::end_tag && !ends && token.name != known("br"))
    return TokenResult::done;
  if (token.is_start(known("head")) || token.is_start(known("noscript"))) return TokenResult::done;
  const bool stays = token.kind == TokenKind::start_tag &&
                     (html_traits(token.name) & is_head_content) != 0 &&
                     token.name != known("base") && token.name != known("script") &&
                     token.name != known("template") && token.name != known("title");
  if (stays) return in_head(builder, token);
  builder.open.pop();
  builder.mode = InsertionMode::in_head;
  return ends ? TokenResult::done : TokenResult::reprocess;
}

namespace {

// Reopens the closed head for one element.
TokenResult put_into_head(TreeBuilder& builder, Token& token) {
  builder.open.push(builder.head);
  const TokenResult result = in_head(builder, token);
  builder.open.remove(builder.head);
  return result;
}

}  // namespace

TokenResult after_head(TreeBuilder& builder, Token& token) {
  if (token.kind == TokenKind::doctype || keeps_space(builder, token)) return TokenResult::done;
  if (token.kind == TokenKind::comment) {
    builder.insert_comment(token.text);
    return TokenResult::done;
  }
  if (token.is_start(known("html"))) return in_body(builder, token);
  if (token.is_end(known("template"))) return in_head(builder, token);
  const bool is_start = token.kind == TokenKind::start_tag;
  if (is_start && (html_traits(token.name) & is_head_content) != 0)
    return put_into_head(builder, token);
  if (token.is_start(known("head")) || token.is_end(known("head")) || is_ignored_end_tag(token))
    return TokenResult::done;
  if (token.is_start(known("frameset"))) {
    builder.insert_element(token);
    builder.mode = InsertionMode::in_frameset;
    return TokenResult::done;
  }
  const bool is_body = token.is_start(known("body"));
  if (is_body) {
    builder.may_have_frameset = false;
    builder.insert_element(token);
  } else {
    builder.insert_element(known("body"));
  }
  builder.mode = InsertionMode::in_body;
  return is_body ? TokenResult::done : TokenResult::reprocess;
}

}  // namespace heddle::html::parser
