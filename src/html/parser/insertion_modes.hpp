// Declares the insertion modes of the HTML standard, one function each, which processes one token.
#pragma once

#include <cstdint>

#include "html/parser/tokenizer/token.hpp"

namespace heddle::html::parser {

class TreeBuilder;

enum class InsertionMode : std::uint8_t {
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

// reprocess: the token is processed again in the mode that is then current.
enum class TokenResult : std::uint8_t { done, reprocess };

using ModeRules = TokenResult (*)(TreeBuilder&, Token&);

// modes_before_body.cpp
TokenResult initial(TreeBuilder& builder, Token& token);
TokenResult before_html(TreeBuilder& builder, Token& token);
TokenResult before_head(TreeBuilder& builder, Token& token);
TokenResult in_head(TreeBuilder& builder, Token& token);
TokenResult in_head_noscript(TreeBuilder& builder, Token& token);
TokenResult after_head(TreeBuilder& builder, Token& token);

// mode_in_body.cpp, body_start_tags.cpp, body_end_tags.cpp
TokenResult in_body(TreeBuilder& builder, Token& token);
TokenResult body_start_tag(TreeBuilder& builder, Token& token);
TokenResult body_end_tag(TreeBuilder& builder, Token& token);
TokenResult text(TreeBuilder& builder, Token& token);

// modes_table.cpp, modes_table_rows.cpp
TokenResult in_table(TreeBuilder& builder, Token& token);
TokenResult in_table_text(TreeBuilder& builder, Token& token);
TokenResult in_caption(TreeBuilder& builder, Token& token);
TokenResult in_column_group(TreeBuilder& builder, Token& token);
TokenResult in_table_body(TreeBuilder& builder, Token& token);
TokenResult in_row(TreeBuilder& builder, Token& token);
TokenResult in_cell(TreeBuilder& builder, Token& token);

// mode_in_template.cpp
TokenResult in_template(TreeBuilder& builder, Token& token);
TokenResult template_start_tag(TreeBuilder& builder, Token& token);
TokenResult template_end_tag(TreeBuilder& builder);

// modes_after_body.cpp
TokenResult after_body(TreeBuilder& builder, Token& token);
TokenResult in_frameset(TreeBuilder& builder, Token& token);
TokenResult after_frameset(TreeBuilder& builder, Token& token);
TokenResult after_after_body(TreeBuilder& builder, Token& token);
TokenResult after_after_frameset(TreeBuilder& builder, Token& token);

// foreign_content.cpp: not a mode, but rules that take precedence inside SVG and MathML.
bool belongs_to_foreign_content(const TreeBuilder& builder, const Token& token);
TokenResult in_foreign_content(TreeBuilder& builder, Token& token);

ModeRules rules_of(InsertionMode mode);

}  // namespace heddle::html::parser
