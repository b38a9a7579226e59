// Reads the body of a page into what its job's selectors work on. Pure.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "base/result.hpp"
#include "html/parse.hpp"
#include "pages/json/json_document.hpp"
#include "pages/source/source_rules.hpp"

namespace heddle::pages {

struct SourceDocument {
  std::variant<html::Document, JsonDocument, std::string> content;  // std::string: plain text
  std::string note;  // what was wrong with the body although it could be read; empty: nothing

  [[nodiscard]] const html::Document* tree() const { return std::get_if<html::Document>(&content); }
  [[nodiscard]] const JsonDocument* json() const { return std::get_if<JsonDocument>(&content); }
};

// By content type, then by how the body begins.
PageFormat detect_format(std::string_view content_type, std::string_view body);

// The body is UTF-8. Fails with bad_input "too_complex: …" beyond the limits, and with corrupt
// when the body is not what the rules need.
Result<SourceDocument> read_source(html::Parser& parser, const SourceRules& rules,
                                   std::string_view content_type, std::string_view body,
                                   const html::ParseLimits& limits);

// What people read of the page; of JSON and plain text the text itself.
std::string readable_text(const SourceDocument& document);

}  // namespace heddle::pages
