// SourceSelector is a compiled selector of any kind: CSS, XPath or JSONPath. Immutable, cheap to
// copy, shareable by threads.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "base/result.hpp"
#include "html/selector.hpp"
#include "html/xpath/xpath.hpp"
#include "model/job/page_source.hpp"
#include "pages/json_path/json_path.hpp"

namespace heddle::pages {

class SourceSelector {
 public:
  // Fails with bad_input "selector: position 12: …", "XPath: …" or "JSONPath: …".
  static Result<SourceSelector> compile(SelectorKind kind, std::string_view text,
                                        const html::XPathPrefixes& prefixes = {});

  [[nodiscard]] const html::Selector* css() const {
    return std::get_if<html::Selector>(&selector_);
  }
  [[nodiscard]] const html::XPath* xpath() const { return std::get_if<html::XPath>(&selector_); }
  [[nodiscard]] const JsonPath* json_path() const { return std::get_if<JsonPath>(&selector_); }

 private:
  using Selector = std::variant<html::Selector, html::XPath, JsonPath>;
  explicit SourceSelector(Selector selector) : selector_(std::move(selector)) {}

  Selector selector_;
};

}  // namespace heddle::pages
