// Restores the capitals of SVG and MathML names, which the tokenizer has converted to lower case,
// and the namespaces of their attributes.
#pragma once

#include "html/parser/tokenizer/token.hpp"

namespace heddle::html::parser {

class TreeBuilder;

// "foreignobject" -> "foreignObject"; other names stay.
NameId svg_tag_name(TreeBuilder& builder, NameId tag);
void adjust_foreign_attributes(TreeBuilder& builder, const Token& token, Namespace space);

}  // namespace heddle::html::parser
