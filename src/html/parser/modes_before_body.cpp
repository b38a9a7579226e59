// The modes up to <body>: what comes first opens <html>, <head> and <body> where they are missing.
#include "html/parser/quirks.hpp"
#include "html/parser/tree_builder.hpp"

namespace heddle::html::parser {

namespace {

// These four end tags act as if something was there to be closed; all others are ignored.
bool is_telling_end_tag(const Token& token) {
  if (token.kind != TokenKind::end_tag) return false;
  return token.name == known("head") || token.name == known("body") ||
         token.name == known("html") || token.name == known("br");
}

bool is_ignored_end_tag(const Token& token) {
  return token.kind == TokenKind::end_tag && !is_telling_end_tag(token);
}

// True when the text was nothing but white space; otherwise only what follows it is left.
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

Step go_on_in(TreeBuilder& builder, Mode mode) {
  builder.mode = mode;
  return Step::again;
}

}  // namespace

Step initial(TreeBuilder& builder, Token& token) {
  if (drops_space(token)) return Step::done;
  if (token.kind == TokenKind::comment) {
    builder.insert_comment_into(NodeTree::root(), token.text);
    return Step::done;
  }
  builder.mode = Mode::before_html;
  if (token.kind != TokenKind::doctype) {
    builder.is_quirky = true;
    return Step::again;
  }
  builder.insert_doctype(token);
  builder.is_quirky = asks_for_quirks(token, token.name == known("html"));
  return Step::done;
}

Step before_html(TreeBuilder& builder, Token& token) {
  if (token.kind == TokenKind::doctype || drops_space(token)) return Step::done;
  if (token.kind == TokenKind::comment) {
    builder.insert_comment_into(NodeTree::root(), token.text);
    return Step::done;
  }
  if (is_ignored_end_tag(token)) return Step::done;
  const bool is_html = token.is_start(known("html"));
  builder.insert_root(is_html ? token.attributes : AttributeRange{});
  builder.mode = Mode::before_head;
  return is_html ? Step::done : Step::again;
}

Step before_head(TreeBuilder& builder, Token& token) {
  if (token.kind == TokenKind::doctype || drops_space(token)) return Step::done;
  if (token.kind == TokenKind::comment) {
    builder.insert_comment(token.text);
    return Step::done;
  }
  if (token.is_start(known("html"))) return in_body(builder, token);
  if (is_ignored_end_tag(token)) return Step::done;
  const bool is_head = token.is_start(known("head"));
  builder.head = is_head ? builder.insert_element(token) : builder.insert_element(known("head"));
  builder.mode = Mode::in_head;
  return is_head ? Step::done : Step::again;
}

namespace {

Step leave_head(TreeBuilder& builder) {
  builder.open.pop();
  return go_on_in(builder, Mode::after_head);
}

Step head_start_tag(TreeBuilder& builder, Token& token) {
  switch (token.name) {
    case known("html"):
      return in_body(builder, token);
    case known("base"):
    case known("basefont"):
    case known("bgsound"):
    case known("link"):
    case known("meta"):
      builder.insert_void_element(token);
      return Step::done;
    case known("title"):
      builder.insert_text_element(token, TextMode::rcdata);
      return Step::done;
    case known("noframes"):
    case known("style"):
      builder.insert_text_element(token, TextMode::raw_text);
      return Step::done;
    case known("script"):
      builder.insert_text_element(token, TextMode::script);
      return Step::done;
    case known("noscript"):  // scripts never run here
      builder.insert_element(token);
      builder.mode = Mode::in_head_noscript;
      return Step::done;
    case known("template"):
      return template_start_tag(builder, token);
    case known("head"):
      return Step::done;
    default:
      return leave_head(builder);
  }
}

}  // namespace

Step in_head(TreeBuilder& builder, Token& token) {
  if (token.kind == TokenKind::doctype || keeps_space(builder, token)) return Step::done;
  if (token.kind == TokenKind::comment) {
    builder.insert_comment(token.text);
    return Step::done;
  }
  if (token.kind == TokenKind::start_tag) return head_start_tag(builder, token);
  if (token.is_end(known("template"))) return template_end_tag(builder);
  if (is_ignored_end_tag(token)) return Step::done;
  leave_head(builder);
  return token.is_end(known("head")) ? Step::done : Step::again;
}

Step in_head_noscript(TreeBuilder& builder, Token& token) {
  if (token.kind == TokenKind::doctype || keeps_space(builder, token)) return Step::done;
  if (token.kind == TokenKind::comment) return in_head(builder, token);
  if (token.is_start(known("html"))) return in_body(builder, token);
  const bool ends = token.is_end(known("noscript"));
  if (token.kind == TokenKind::end_tag && !ends && token.name != known("br")) return Step::done;
  if (token.is_start(known("head")) || token.is_start(known("noscript"))) return Step::done;
  const bool stays = token.kind == TokenKind::start_tag &&
                     (html_traits(token.name) & is_head_content) != 0 &&
                     token.name != known("base") && token.name != known("script") &&
                     token.name != known("template") && token.name != known("title");
  if (stays) return in_head(builder, token);
  builder.open.pop();
  builder.mode = Mode::in_head;
  return ends ? Step::done : Step::again;
}

namespace {

// Back into the head, which is closed already, for one element.
Step put_into_head(TreeBuilder& builder, Token& token) {
  builder.open.push(builder.head);
  const Step step = in_head(builder, token);
  builder.open.remove(builder.head);
  return step;
}

}  // namespace

Step after_head(TreeBuilder& builder, Token& token) {
  if (token.kind == TokenKind::doctype || keeps_space(builder, token)) return Step::done;
  if (token.kind == TokenKind::comment) {
    builder.insert_comment(token.text);
    return Step::done;
  }
  if (token.is_start(known("html"))) return in_body(builder, token);
  if (token.is_end(known("template"))) return in_head(builder, token);
  const bool is_start = token.kind == TokenKind::start_tag;
  if (is_start && (html_traits(token.name) & is_head_content) != 0)
    return put_into_head(builder, token);
  if (token.is_start(known("head")) || token.is_end(known("head")) || is_ignored_end_tag(token))
    return Step::done;
  if (token.is_start(known("frameset"))) {
    builder.insert_element(token);
    builder.mode = Mode::in_frameset;
    return Step::done;
  }
  const bool is_body = token.is_start(known("body"));
  if (is_body) {
    builder.may_have_frameset = false;
    builder.insert_element(token);
  } else {
    builder.insert_element(known("body"));
  }
  builder.mode = Mode::in_body;
  return is_body ? Step::done : Step::again;
}

}  // namespace heddle::html::parser
