// Extracts the readable text of a page. Pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "html/document.hpp"

namespace heddle::html {

// Like innerText: blocks and <br> break lines, <p> leaves one empty line, white space collapses
// (also &nbsp;) except in <pre> and <textarea>, table cells are separated by a tab. Omits
// what a browser does not show: scripts, styles, templates, noscript, head, hidden and display:none
// elements. The given node itself is always read, so a <title> or <script> has its text.
std::string readable_text(const Document& document, NodeId node);

// As above without what is crossed out inside the node: <s>, <strike>, <del> and
// text-decoration: line-through.
std::string text_without_struck(const Document& document, NodeId node);

// As readable_text() without these nodes and what is inside of them. `omitted` is in document
// order.
std::string text_without(const Document& document, NodeId node, std::span<const NodeId> omitted);

// Whether a browser shows the element, as far as the element itself says: false for scripts,
// styles, templates, noscript, head, hidden and display:none.
bool is_displayed(const Document& document, NodeId node);

// Appends to a string that the caller reuses.
void append_readable_text(const Document& document, NodeId node, std::string& out);

// Appends a text from outside of a page with HTML's references such as "&amp;", "&eacute;" and
// "&#8364;" resolved; a "&" that begins none stays.
void append_decoded(std::string_view text, std::string& out);

}  // namespace heddle::html
