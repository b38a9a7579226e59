// Parses XML into the same flat tree as HTML, with case-sensitive names and namespaces. Pure.
// Loads nothing: external entities and DTDs are ignored. Elements of XHTML, SVG and MathML have
// their names without prefix.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "html/document.hpp"
#include "html/parse.hpp"

namespace heddle::pages {

// The text is UTF-8, whatever its declaration says. White space and a byte order mark before the
// declaration are skipped. Fails with bad_input "XML: line 3, column 5: …" for a text that is not
// well-formed and with "too_complex: …" beyond the limits (nodes, depth, text of entities).
Result<html::Document> parse_xml(std::string_view utf8, const html::ParseLimits& limits = {});

// Reads any text as XML: unknown entities are those of HTML, a lone "&" or "<" is text, missing
// end tags are added, others are ignored. Fails only with "too_complex: …".
Result<html::Document> repair_xml(std::string_view utf8, const html::ParseLimits& limits = {});

struct XmlPage {
  html::Document document;
  std::string problem;  // why it had to be repaired; empty for well-formed XML
};

// parse_xml, else repair_xml.
Result<XmlPage> read_xml(std::string_view utf8, const html::ParseLimits& limits = {});

// "dc:creator" -> "creator".
std::string_view local_name(std::string_view qualified);

}  // namespace heddle::pages
