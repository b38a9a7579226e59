#include "pages/source/body_format.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"

namespace heddle::pages {

namespace {

constexpr std::size_t kLookedAt = 1024;

struct BodySignature {
  std::string_view begin;
  std::string_view name;
};

constexpr std::array kSignatures{
    BodySignature{"%PDF-", "a PDF"},
    BodySignature{"\x89PNG", "an image"},
    BodySignature{"GIF8", "an image"},
    BodySignature{"PK\x03\x04", "a ZIP archive or office document"},
    BodySignature{"\x1f\x8b", "a compressed file"},
};

// By the beginning of a content type.
constexpr std::array kBinaryTypes{
    BodySignature{"application/pdf", "a PDF"},
    BodySignature{"image/", "an image"},
    BodySignature{"video/", "a video"},
    BodySignature{"audio/", "a sound"},
    BodySignature{"font/", "a font"},
    BodySignature{"application/zip", "a ZIP archive"},
    BodySignature{"application/vnd.openxmlformats", "an office document"},
    BodySignature{"application/vnd.ms-", "an office document"},
    BodySignature{"application/msword", "an office document"},
};

std::string_view name_of(const auto& signatures, std::string_view text) {
  for (const BodySignature& each : signatures)
    if (text.starts_with(each.begin)) return each.name;
  return {};
}

// What comes after byte order mark, white space, comments, declaration and doctype.
std::string_view first_element(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    const bool is_comment = text.starts_with("<!--");
    if (!is_comment && !text.starts_with("<?") && !text.starts_with("<!")) return text;
    const std::string_view end = is_comment ? "-->" : ">";
    const std::size_t at = text.find(end);
    if (at == std::string_view::npos) return {};
    text.remove_prefix(at + end.size());
  }
}

bool is_element(std::string_view text, std::string_view name) {
  if (!text.starts_with(name)) return false;
  const std::string_view rest = text.substr(name.size());
  return rest.empty() || rest.find_first_of(" \t\r\n/>") == 0;
}

std::string_view feed_name(std::string_view element) {
  if (is_element(element, "<rss")) return "an RSS feed";
  if (is_element(element, "<rdf:RDF")) return "an RSS feed";
  return is_element(element, "<feed") ? "an Atom feed" : std::string_view();
}

bool is_xml_type(std::string_view type) {
  if (type.starts_with("application/xhtml") || type.starts_with("image/svg")) return false;
  return type.starts_with("text/xml") || type.starts_with("application/xml") ||
         type.find("+xml") != std::string_view::npos;
}

bool is_json_type(std::string_view type) {
  return type.starts_with("application/json") || type.starts_with("text/json") ||
         type.find("+json") != std::string_view::npos;
}

DetectedBody xml_body(std::string_view element) {
  if (const auto feed = feed_name(element); !feed.empty())
    return {BodyFormat::feed, std::string(feed)};
  return {BodyFormat::xml, "XML"};
}

}  // namespace

DetectedBody detect_body(std::string_view content_type, std::string_view body) {
  const std::string type = to_lower_ascii(content_type);
  const std::string_view begin = body.substr(0, kLookedAt);
  const bool is_svg = type.starts_with("image/svg");
  if (const auto name = name_of(kBinaryTypes, type); !name.empty() && !is_svg)
    return {BodyFormat::binary, std::string(name)};
  if (const auto name = name_of(kSignatures, begin); !name.empty())
    return {BodyFormat::binary, std::string(name)};
  if (begin.find('\0') != std::string_view::npos) return {BodyFormat::binary, "a binary file"};
  const std::string_view element = first_element(begin);
  if (is_xml_type(type)) return is_element(element, "<html") ? DetectedBody{} : xml_body(element);
  if (is_json_type(type)) return {BodyFormat::json, "JSON"};
  const bool is_undeclared = !type.starts_with("text/html");
  const bool has_declaration = begin.find("<?xml") != std::string_view::npos;
  if (!feed_name(element).empty()) return xml_body(element);
  if (has_declaration && is_undeclared && element.starts_with('<') && !is_element(element, "<html"))
    return xml_body(element);
  return {};
}

}  // namespace heddle::pages
