// The insertion modes of the HTML standard: one function each, which says what a token does.
#pragma once

#include <cstdint>

#include "html/parser/token.hpp"

namespace heddle::html::parser {

class TreeBuilder;

enum class Mode : std::uint8_t {
  initial,
  before_html,
  before_head,
  in_head,
  in_head_noscript,
  after_head,
  in_body,
  text,
  in_table,
  in_table_text,
  in_caption,
  in_column_group,
  in_table_body,
  in_row,
  in_cell,
  in_template,
  after_body,
  in_frameset,
  after_frameset,
  after_after_body,
  after_after_frameset,
};

// A mode may hand a token on: it is then looked at again, in whatever mode is set by then.
enum class Step : std::uint8_t { done, again };

using ModeRules = Step (*)(TreeBuilder&, Token&);

// modes_before_body.cpp
Step initial(TreeBuilder& builder, Token& token);
Step before_html(TreeBuilder& builder, Token& token);
Step before_head(TreeBuilder& builder, Token& token);
Step in_head(TreeBuilder& builder, Token& token);
Step in_head_noscript(TreeBuilder& builder, Token& token);
Step after_head(TreeBuilder& builder, Token& token);

// mode_in_body.cpp, body_start_tags.cpp, body_end_tags.cpp
Step in_body(TreeBuilder& builder, Token& token);
Step body_start_tag(TreeBuilder& builder, Token& token);
Step body_end_tag(TreeBuilder& builder, Token& token);
Step text(TreeBuilder& builder, Token& token);

// modes_table.cpp, modes_table_rows.cpp
Step in_table(TreeBuilder& builder, Token& token);
Step in_table_text(TreeBuilder& builder, Token& token);
Step in_caption(TreeBuilder& builder, Token& token);
Step in_column_group(TreeBuilder& builder, Token& token);
Step in_table_body(TreeBuilder& builder, Token& token);
Step in_row(TreeBuilder& builder, Token& token);
Step in_cell(TreeBuilder& builder, Token& token);

// mode_in_template.cpp
Step in_template(TreeBuilder& builder, Token& token);
Step template_start_tag(TreeBuilder& builder, Token& token);
Step template_end_tag(TreeBuilder& builder);

// modes_after_body.cpp
Step after_body(TreeBuilder& builder, Token& token);
Step in_frameset(TreeBuilder& builder, Token& token);
Step after_frameset(TreeBuilder& builder, Token& token);
Step after_after_body(TreeBuilder& builder, Token& token);
Step after_after_frameset(TreeBuilder& builder, Token& token);

// foreign_content.cpp: no mode, but rules that go before them inside SVG and MathML.
bool belongs_to_foreign_content(const TreeBuilder& builder, const Token& token);
Step in_foreign_content(TreeBuilder& builder, Token& token);

// The rules of a mode, by its number.
ModeRules rules_of(Mode mode);

}  // namespace heddle::html::parser
