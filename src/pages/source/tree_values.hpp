// TreeValues selects the texts of a page's elements by CSS and XPath, within one budget of steps
// for all selects of the page. Views its arguments; used by one thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "html/document.hpp"
#include "html/selector.hpp"
#include "html/xpath/xpath.hpp"
#include "model/web/url.hpp"
#include "pages/source/source_rules.hpp"

namespace heddle::pages {

class TreeValues {
 public:
  // Selects block the loop: a second or two for all of a page together.
  static constexpr std::size_t kMaxSteps = 20'000'000;

  // `base` resolves links; without it they stay as they are.
  TreeValues(const html::Document& document, const Url* base) : document_(document), base_(base) {}

  // Fails only when page and selectors together exceed the budget.
  Result<html::XPathNodes> containers(const SourceSelector& selector);
  Result<std::string> field_text(const FieldPlan& field, const html::XPathNode& container);
  // The text of the first match as written, scripts included, or its attribute; nullopt: none.
  Result<std::optional<std::string>> raw_text(const SourceSelector& selector,
                                              const std::string& attribute);

 private:
  struct Selected {
    html::XPathNodes nodes;
    std::optional<std::string> value;  // of an XPath expression that gives no nodes
  };
  Result<Selected> select(const SourceSelector& selector, const html::XPathNode& container,
                          bool all);
  Result<Selected> select_css(const html::Selector& css, const html::XPathNode& container,
                              bool all);
  [[nodiscard]] std::string text_of(const FieldPlan& field, const html::XPathNode& node) const;
  [[nodiscard]] std::string text_of_attribute(const html::XPathNode& node) const;
  [[nodiscard]] std::string text_of_element(const FieldPlan& field, html::NodeId node) const;

  const html::Document& document_;
  const Url* base_;
  html::SelectBudget budget_{{.max_steps = kMaxSteps}};
};

}  // namespace heddle::pages
