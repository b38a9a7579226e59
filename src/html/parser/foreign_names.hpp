// SVG and MathML spell some names with capitals, which the tokenizer has lowered, and give some
// attributes a namespace of their own.
#pragma once

#include "html/parser/token.hpp"

namespace heddle::html::parser {

class TreeBuilder;

// "foreignobject" -> "foreignObject"; other names stay.
NameId svg_tag_name(TreeBuilder& builder, NameId tag);
void adjust_foreign_attributes(TreeBuilder& builder, const Token& token, Namespace space);

}  // namespace heddle::html::parser
