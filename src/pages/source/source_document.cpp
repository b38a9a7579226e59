#include "pages/source/source_document.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "html/text.hpp"
#include "pages/source/body_format.hpp"
#include "pages/source/tree_values.hpp"
#include "pages/xml/xml.hpp"

namespace heddle::pages {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kTooComplex = "too_complex";
constexpr std::size_t kSniffed = 1024;  // bytes at the start of a body

// A body that the job's rules cannot read is no mistake of its configuration.
Error unreadable(Error error) {
  if (!error.message.starts_with(kTooComplex)) error.code = ErrorCode::corrupt;
  return error;
}

std::string_view start_of(std::string_view body) {
  if (body.starts_with(kByteOrderMark)) body.remove_prefix(kByteOrderMark.size());
  return trim(body.substr(0, kSniffed));
}

std::string media_type(std::string_view content_type) {
  return to_lower_ascii(trim(content_type.substr(0, content_type.find(';'))));
}

Result<JsonDocument> parse_json(PageFormat format, std::string_view body,
                                const html::ParseLimits& limits) {
  const JsonLimits bounds{.max_values = limits.max_nodes * 4, .max_depth = limits.max_depth};
  if (format == PageFormat::json_lines) return JsonDocument::parse_lines(std::string(body), bounds);
  return JsonDocument::parse(std::string(body), bounds);
}

// "JSON: line 2, column 7" of a message.
std::string_view position_in(std::string_view message) {
  return message.substr(0, message.find(": ", message.find(": ") + 1));
}

// Neither one document nor JSON Lines. They are the latter when more than the first value is right.
Error neither(Error as_document, Error as_lines) {
  if (position_in(as_document.message) == position_in(as_lines.message)) return as_document;
  return unreadable(std::move(as_lines)).during("read as JSON Lines");
}

bool is_json_lines_type(std::string_view content_type) {
  const std::string type = media_type(content_type);
  for (const std::string_view lines :
       {"application/x-ndjson", "application/ndjson", "application/jsonl",
        "application/x-jsonlines", "application/jsonlines"})
    if (type == lines) return true;
  return false;
}

// One line is a whole document, too: then the content type decides.
Result<SourceDocument> read_json(PageFormat format, std::string_view content_type,
                                 std::string_view body, const html::ParseLimits& limits) {
  const bool is_guessed = format != PageFormat::json && format != PageFormat::json_lines;
  if (is_guessed && start_of(body).empty() && trim(body).empty())
    return Error{ErrorCode::corrupt, "the page is empty, expected JSON"};
  if (is_guessed && is_json_lines_type(content_type))
    if (auto lines = parse_json(PageFormat::json_lines, body, limits))
      return SourceDocument{*std::move(lines), {}};
  auto json = parse_json(is_guessed ? PageFormat::json : format, body, limits);
  if (!json && is_guessed) {
    auto lines = parse_json(PageFormat::json_lines, body, limits);
    if (!lines)
      json = neither(std::move(json).error(), std::move(lines).error());
    else
      json = std::move(lines);
  }
  if (json) return SourceDocument{*std::move(json), {}};
  if (is_guessed && start_of(body).starts_with('<'))
    return Error{ErrorCode::corrupt,
                 "the page is HTML, but the selectors are JSONPaths: `json_in` names the element "
                 "whose text is JSON"};
  return unreadable(std::move(json).error());
}

// From the first bracket to the last one: scripts assign JSON to variables. What stands before is
// blank, so that positions are those in the element.
std::string bracketed(std::string_view text) {
  const std::size_t begin = text.find_first_of("{[");
  const std::size_t end = text.find_last_of("}]");
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin)
    return std::string(text);
  std::string out;
  for (const char c : text.substr(0, begin)) {
    const bool continues_character = (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
    if (!continues_character) out += c == '\n' ? '\n' : ' ';
  }
  return out.append(text.substr(begin, end - begin + 1));
}

Result<SourceDocument> read_embedded_json(const html::Document& page, const EmbeddedJson& rule,
                                          const html::ParseLimits& limits) {
  TreeValues values(page, nullptr);
  auto text = values.raw_text(rule.element, rule.attribute);
  if (!text) return std::move(text).error();
  if (!*text) return Error{ErrorCode::corrupt, "no element of the page matches `json_in`"};
  if (trim(**text).empty())
    return Error{ErrorCode::corrupt, "the element of `json_in` is empty, expected JSON"};
  auto json = parse_json(PageFormat::json, **text, limits);
  if (!json) json = parse_json(PageFormat::json, bracketed(**text), limits);
  if (!json)
    return unreadable(std::move(json).error()).during("json_in, counted within its element");
  return SourceDocument{*std::move(json), {}};
}

Result<SourceDocument> read_html(html::Parser& parser, const SourceRules& rules,
                                 std::string_view body, const html::ParseLimits& limits) {
  auto page = parser.parse(body, limits);
  if (!page) return std::move(page).error();
  if (rules.embedded) return read_embedded_json(*page, *rules.embedded, limits);
  return SourceDocument{*std::move(page), {}};
}

Result<SourceDocument> read_xml_page(std::string_view body, const html::ParseLimits& limits) {
  auto page = read_xml(body, limits);
  if (!page) return unreadable(std::move(page).error());
  SourceDocument out{std::move(page->document), {}};
  if (!page->problem.empty())
    out.note = fmt::format("{}; it was read as far as possible", page->problem);
  return out;
}

}  // namespace

PageFormat detect_format(std::string_view content_type, std::string_view body) {
  if (is_json_lines_type(content_type)) return PageFormat::json_lines;
  const std::string type = media_type(content_type);
  const BodyFormat format = detect_body(content_type, body).format;
  if (format == BodyFormat::json) return PageFormat::json;
  if (format == BodyFormat::xml || format == BodyFormat::feed) return PageFormat::xml;
  const std::string_view start = start_of(body);
  const bool is_json = type != "text/html" && (start.starts_with('{') || start.starts_with('['));
  return is_json ? PageFormat::json : PageFormat::html;
}

Result<SourceDocument> read_source(html::Parser& parser, const SourceRules& rules,
                                   std::string_view content_type, std::string_view body,
                                   const html::ParseLimits& limits) {
  if (rules.format == PageFormat::text) return SourceDocument{std::string(body), {}};
  if (rules.reads_json && !rules.embedded)
    return read_json(rules.format, content_type, body, limits);
  PageFormat format = rules.format;
  if (rules.embedded) format = PageFormat::html;
  if (format == PageFormat::detected) format = detect_format(content_type, body);
  if (format == PageFormat::xml) return read_xml_page(body, limits);
  return read_html(parser, rules, body, limits);
}

std::string readable_text(const SourceDocument& document) {
  if (const auto* tree = document.tree()) return html::readable_text(*tree, html::Document::root());
  if (const auto* json = document.json()) {
    std::string text;
    append_json(*json, JsonDocument::root(), text);
    return text;
  }
  return std::get<std::string>(document.content);
}

}  // namespace heddle::pages
