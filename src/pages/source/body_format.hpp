// Tells what the body of a response is, by its content type and its first bytes. Pure.
#pragma once

#include <string>
#include <string_view>

namespace heddle::pages {

enum class BodyFormat { html, xml, feed, json, binary };

struct DetectedBody {
  BodyFormat format = BodyFormat::html;
  std::string name;  // for people, "an RSS feed"; empty for HTML
};

// `body` may be the decoded text of the page. Plain text counts as HTML: it is read the same way.
DetectedBody detect_body(std::string_view content_type, std::string_view body);

}  // namespace heddle::pages
