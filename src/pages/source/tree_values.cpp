#include "pages/source/tree_values.hpp"

#include "base/text.hpp"
#include "html/links.hpp"
#include "html/text.hpp"
#include "html/xpath/xpath_values.hpp"

namespace heddle::pages {

namespace {

html::XPathNodes whole(const std::vector<html::NodeId>& nodes) {
  html::XPathNodes out;
  out.reserve(nodes.size());
  for (const html::NodeId node : nodes) out.push_back({node});
  return out;
}

}  // namespace

Result<html::XPathNodes> TreeValues::containers(const SourceSelector& selector) {
  auto selected = select(selector, {html::Document::root()}, true);
  if (!selected) return std::move(selected).error();
  return std::move(selected->nodes);
}

Result<std::string> TreeValues::field_text(const FieldPlan& field,
                                           const html::XPathNode& container) {
  if (!field.selector) return text_of(field, container);
  const bool takes_all = field.rule.join.has_value();
  auto selected = select(*field.selector, container, takes_all);
  if (!selected) return std::move(selected).error();
  if (selected->value) return std::string(trim(*selected->value));
  std::string text;
  for (std::size_t i = 0; i < selected->nodes.size(); ++i) {
    if (i > 0 && !takes_all) break;
    if (i > 0) text += *field.rule.join;
    text += text_of(field, selected->nodes[i]);
  }
  return text;
}

Result<std::optional<std::string>> TreeValues::raw_text(const SourceSelector& selector,
                                                        const std::string& attribute) {
  auto selected = select(selector, {html::Document::root()}, false);
  if (!selected) return std::move(selected).error();
  if (selected->value) return selected->value;
  if (selected->nodes.empty()) return std::optional<std::string>();
  const html::XPathNode& node = selected->nodes.front();
  if (attribute.empty() || !node.is_whole())
    return std::optional<std::string>(html::string_value(document_, node));
  const auto value = document_.attribute(node.node, attribute);
  return value ? std::optional<std::string>(*value) : std::nullopt;
}

Result<TreeValues::Selected> TreeValues::select(const SourceSelector& selector,
                                                const html::XPathNode& container, bool all) {
  if (const html::Selector* css = selector.css()) return select_css(*css, container, all);
  const html::XPath* xpath = selector.xpath();
  if (xpath == nullptr) return Selected{};  // a JSONPath finds nothing in a tree
  auto found = html::evaluate(document_, *xpath, container, budget_);
  if (!found) return std::move(found).error();
  Selected selected;
  if (auto* nodes = std::get_if<html::XPathNodes>(&*found))
    selected.nodes = std::move(*nodes);
  else
    selected.value = html::to_text(document_, *found);
  return selected;
}

Result<TreeValues::Selected> TreeValues::select_css(const html::Selector& css,
                                                    const html::XPathNode& container, bool all) {
  Selected selected;
  if (!container.is_whole()) return selected;
  if (!all) {
    auto first = html::select_first_inclusive(document_, css, container.node, budget_);
    if (!first) return std::move(first).error();
    if (*first) selected.nodes.push_back({**first});
    return selected;
  }
  std::vector<html::NodeId> nodes;
  if (auto done = html::select(document_, css, container.node, nodes, budget_); !done)
    return std::move(done).error();
  selected.nodes = whole(nodes);
  return selected;
}

std::string TreeValues::text_of(const FieldPlan& field, const html::XPathNode& node) const {
  if (node.is_attribute()) return text_of_attribute(node);
  if (!node.is_whole()) return std::string(html::string_value(document_, node));
  if (field.rule.attribute.empty()) return text_of_element(field, node.node);
  const auto attribute = document_.attribute(node.node, field.rule.attribute);
  if (!attribute) return {};
  if (field.is_link && base_ != nullptr) return absolute_link(*base_, *attribute);
  return std::string(trim(*attribute));
}

std::string TreeValues::text_of_attribute(const html::XPathNode& node) const {
  const std::string_view value = html::string_value(document_, node);
  const std::string_view name = document_.name(html::attribute_of(document_, node).name);
  if (base_ != nullptr && html::is_url_attribute(name)) return absolute_link(*base_, value);
  return std::string(trim(value));
}

// The price that counts is the one that is not crossed out.
std::string TreeValues::text_of_element(const FieldPlan& field, html::NodeId node) const {
  const html::NodeKind kind = document_.kind(node);
  if (kind != html::NodeKind::element && kind != html::NodeKind::document)
    return html::normalize_space(html::string_value(document_, {node}));
  if (field.rule.type == FieldType::money)
    if (auto text = html::text_without_struck(document_, node); !text.empty()) return text;
  return html::readable_text(document_, node);
}

}  // namespace heddle::pages
