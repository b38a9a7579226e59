// The text of a page as a person reads it. Pure functions.
#pragma once

#include <string>

#include "html/document.hpp"

namespace heddle::html {

// Like innerText: blocks and <br> break lines, <p> leaves one empty line, white space collapses
// (also &nbsp;) except in <pre> and <textarea>, table cells are separated by a tab. What is not
// shown is left out: scripts, styles, templates, noscript, head, hidden and display:none elements;
// but the node that was asked for is read whatever it is, so a <title> or <script> has its text.
std::string readable_text(const Document& document, NodeId node);

// The same at the end of a string that the caller reuses.
void append_readable_text(const Document& document, NodeId node, std::string& out);

}  // namespace heddle::html
