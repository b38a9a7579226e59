// Processes tokens inside SVG and MathML; takes precedence over the insertion mode.
#include <algorithm>
#include <array>
#include <cstddef>

#include "html/parser/foreign_names.hpp"
#include "html/parser/tokenizer/characters.hpp"
#include "html/parser/tree_builder.hpp"

namespace heddle::html::parser {

namespace {

bool is_lower(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(),
                    [](char left, char right) { return to_lower(left) == right; });
}

// MathML text integration points: <mi>, <mo> and so on.
bool holds_html_text(const OpenElement& element) {
  return element.space == Namespace::mathml && element.has(ends_scope) &&
         element.tag != known("annotation-xml");
}

// An HTML integration point: its content is HTML again.
bool holds_html(const TreeBuilder& builder, const OpenElement& element) {
  if (element.space == Namespace::svg) return element.has(ends_scope);
  if (element.space != Namespace::mathml || element.tag != known("annotation-xml")) return false;
  const std::string_view encoding =
      builder.attribute(builder.tree.attributes(element.node), known("encoding"));
  return is_lower(encoding, "text/html") || is_lower(encoding, "application/xhtml+xml");
}

bool is_start_of_html_in_math(const Token& token) {
  return token.kind == TokenKind::start_tag && token.name != known("mglyph") &&
         token.name != known("malignmark");
}

bool is_text(const Token& token) {
  return token.kind == TokenKind::text || token.kind == TokenKind::nulls;
}

constexpr std::size_t kReplacementsAtOnce = 256;
constexpr auto kReplacements = [] {
  std::array<char, kReplacementsAtOnce * kReplacementCharacter.size()> many{};
  for (std::size_t i = 0; i < many.size(); ++i)
    many[i] = kReplacementCharacter[i % kReplacementCharacter.size()];
  return many;
}();

void insert_replacements(TreeBuilder& builder, std::size_t count) {
  while (count > 0) {
    const std::size_t part = std::min(count, kReplacementsAtOnce);
    builder.insert_text({kReplacements.data(), part * kReplacementCharacter.size()});
    count -= part;
  }
}

bool closes_foreign_content(const TreeBuilder& builder, const Token& token) {
  if (token.kind == TokenKind::end_tag)
    return token.name == known("p") || token.name == known("br");
  if ((html_traits(token.name) & exits_foreign_content) != 0) return true;
  return token.name == known("font") && (builder.has_attribute(token.attributes, known("color")) ||
                                         builder.has_attribute(token.attributes, known("face")) ||
                                         builder.has_attribute(token.attributes, known("size")));
}

// Closes the SVG or MathML and continues with the rules of the mode.
TokenResult close_foreign_content(TreeBuilder& builder, Token& token) {
  while (builder.open.current().space != Namespace::html &&
         !holds_html_text(builder.open.current()) && !holds_html(builder, builder.open.current()))
    builder.open.pop();
  return rules_of(builder.mode)(builder, token);
}

TokenResult foreign_start_tag(TreeBuilder& builder, Token& token) {
  if (closes_foreign_content(builder, token)) return close_foreign_content(builder, token);
  const Namespace space = builder.open.current().space;
  if (space == Namespace::svg) token.name = svg_tag_name(builder, token.name);
  adjust_foreign_attributes(builder, token, space);
  builder.insert_foreign_element(token, space);
  return TokenResult::done;
}

TokenResult foreign_end_tag(TreeBuilder& builder, Token& token) {
  if (closes_foreign_content(builder, token)) return close_foreign_content(builder, token);
  const NameId svg_name = token.name == kNoName ? kNoName : svg_tag_name(builder, token.name);
  for (std::size_t i = builder.open.size() - 1; i > 0; --i) {
    builder.budget.charge(1);
    const OpenElement& element = builder.open[i];
    if (element.space == Namespace::html) return rules_of(builder.mode)(builder, token);
    if (element.tag != token.name && element.tag != svg_name) continue;
    builder.open.pop_to(i);
    return TokenResult::done;
  }
  return TokenResult::done;
}

}  // namespace

bool belongs_to_foreign_content(const TreeBuilder& builder, const Token& token) {
  if (builder.open.empty()) return false;
  const OpenElement& current = builder.open.current();
  if (current.space == Namespace::html || token.kind == TokenKind::end_of_file) return false;
  if (holds_html_text(current) && (is_start_of_html_in_math(token) || is_text(token))) return false;
  const bool is_math_annotation =
      current.space == Namespace::mathml && current.tag == known("annotation-xml");
  if (is_math_annotation && token.is_start(known("svg"))) return false;
  const bool may_be_html = token.kind == TokenKind::start_tag || is_text(token);
  return !(may_be_html && holds_html(builder, current));
}

TokenResult in_foreign_content(TreeBuilder& builder, Token& token) {
  switch (token.kind) {
    case TokenKind::nulls:
      insert_replacements(builder, token.text.size());
      return TokenResult::done;
    case TokenKind::text:
      builder.insert_text(token.text);
      if (builder.may_have_frameset) builder.may_have_frameset = is_all_space(token.text);
      return TokenResult::done;
    case TokenKind::comment:
      builder.insert_comment(token.text);
      return TokenResult::done;
    case TokenKind::start_tag:
      return foreign_start_tag(builder, token);
    case TokenKind::end_tag:
      return foreign_end_tag(builder, token);
    default:
      return TokenResult::done;
  }
}

}  // namespace heddle::html::parser
