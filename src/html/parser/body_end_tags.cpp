// Processes end tags in the body, one function per kind; the table at the end maps names to them.
#include "html/parser/tag_rules.hpp"
#include "html/parser/tree_builder.hpp"

namespace heddle::html::parser {

namespace {

TokenResult ordinary(TreeBuilder& builder, Token& token) {
  builder.close_ordinary(token.name);
  return TokenResult::done;
}

TokenResult template_end(TreeBuilder& builder, Token& /*token*/) {
  return template_end_tag(builder);
}

TokenResult body(TreeBuilder& builder, Token& /*token*/) {
  if (builder.open.has_in_scope(known("body"))) builder.mode = InsertionMode::after_body;
  return TokenResult::done;
}

TokenResult html(TreeBuilder& builder, Token& /*token*/) {
  if (!builder.open.has_in_scope(known("body"))) return TokenResult::done;
  builder.mode = InsertionMode::after_body;
  return TokenResult::reprocess;
}

TokenResult block(TreeBuilder& builder, Token& token) {
  if (builder.open.has_in_scope(token.name)) builder.open.pop_until(token.name);
  return TokenResult::done;
}

TokenResult form(TreeBuilder& builder, Token& token) {
  if (builder.is_template_open()) return block(builder, token);
  const NodeIndex node = builder.form;
  builder.form = kNoIndex;
  if (node == kNoIndex || !builder.open.has_node_in_scope(node)) return TokenResult::done;
  builder.generate_implied_end_tags();
  builder.open.remove(node);
  return TokenResult::done;
}

TokenResult paragraph(TreeBuilder& builder, Token& /*token*/) {
  if (!builder.open.has_in_scope(known("p"), ends_button_scope)) builder.insert_element(known("p"));
  builder.close_p();
  return TokenResult::done;
}

TokenResult list_item(TreeBuilder& builder, Token& /*token*/) {
  if (builder.open.has_in_scope(known("li"), ends_list_item_scope))
    builder.open.pop_until(known("li"));
  return TokenResult::done;
}

TokenResult heading(TreeBuilder& builder, Token& /*token*/) {
  if (builder.open.has_any_in_scope(is_heading, ends_scope)) builder.open.pop_until_any(is_heading);
  return TokenResult::done;
}

TokenResult formatting(TreeBuilder& builder, Token& token) {
  builder.run_adoption_agency(token.name);
  return TokenResult::done;
}

TokenResult marked(TreeBuilder& builder, Token& token) {
  if (!builder.open.has_in_scope(token.name)) return TokenResult::done;
  builder.open.pop_until(token.name);
  builder.formatting.clear_to_marker();
  return TokenResult::done;
}

// </br> is a common mistake for <br>.
TokenResult line_break(TreeBuilder& builder, Token& token) {
  token.kind = TokenKind::start_tag;
  token.attributes = {};
  return body_start_tag(builder, token);
}

constexpr TagRules kRules =
    TagRules(ordinary)
        .set({"template"}, template_end)
        .set({"body"}, body)
        .set({"html"}, html)
        .set({"address",    "article", "aside",   "blockquote", "button", "center",
              "details",    "dialog",  "dir",     "div",        "dl",     "fieldset",
              "figcaption", "figure",  "footer",  "header",     "hgroup", "listing",
              "main",       "menu",    "nav",     "ol",         "pre",    "search",
              "section",    "select",  "summary", "ul",         "dd",     "dt"},
             block)
        .set({"form"}, form)
        .set({"p"}, paragraph)
        .set({"li"}, list_item)
        .set({"h1", "h2", "h3", "h4", "h5", "h6"}, heading)
        .set({"a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong",
              "tt", "u"},
             formatting)
        .set({"applet", "marquee", "object"}, marked)
        .set({"br"}, line_break);

}  // namespace

TokenResult body_end_tag(TreeBuilder& builder, Token& token) {
  return kRules.of(token.name)(builder, token);
}

}  // namespace heddle::html::parser
