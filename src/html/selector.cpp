#include "html/selector.hpp"

#include <utility>

#include <fmt/format.h>

#include "html/selector_matcher.hpp"
#include "html/selector_parser.hpp"

namespace heddle::html {

namespace {

Error out_of_steps(const Selector& selector, const SelectBudget& budget) {
  return {ErrorCode::bad_input,
          fmt::format("selector: `{}` needs more than {} steps on this page; make it simpler",
                      selector.css(), budget.max_steps)};
}

// Nodes behind the scope follow its descendants directly.
NodeId search_end(const Document& document, const Selector& selector, NodeId scope) {
  const bool is_wide = selector.program().searches_siblings && scope != Document::root();
  return document.subtree_end(is_wide ? document.parent(scope) : scope);
}

Result<std::optional<NodeId>> find_from(const Document& document, const Selector& selector,
                                        NodeId scope, NodeId from, SelectBudget& budget) {
  SelectorMatcher matcher(document, selector.program(), scope, budget);
  const NodeId end = search_end(document, selector, scope);
  const NodeId node = matcher.find(from, end);
  if (matcher.is_out_of_steps()) return out_of_steps(selector, budget);
  return node < end ? std::optional(node) : std::nullopt;
}

}  // namespace

Selector::Selector(std::shared_ptr<const SelectorProgram> program) : program_(std::move(program)) {}

Result<Selector> Selector::compile(std::string_view css) {
  auto program = parse_selector(css);
  if (!program) return std::move(program.error());
  return Selector(std::make_shared<const SelectorProgram>(std::move(*program)));
}

const std::string& Selector::css() const {
  return program_->css;
}

Status select(const Document& document, const Selector& selector, NodeId scope,
              std::vector<NodeId>& out, const SelectLimits& limits) {
  SelectBudget budget(limits);
  return select(document, selector, scope, out, budget);
}

Status select(const Document& document, const Selector& selector, NodeId scope,
              std::vector<NodeId>& out, SelectBudget& budget) {
  return select_at_most(document, selector, scope, document.size(), out, budget);
}

Status select_at_most(const Document& document, const Selector& selector, NodeId scope,
                      std::size_t most, std::vector<NodeId>& out, SelectBudget& budget) {
  SelectorMatcher matcher(document, selector.program(), scope, budget);
  const NodeId end = search_end(document, selector, scope);
  const std::size_t full = out.size() + most;
  for (NodeId node = matcher.find(scope + 1, end); node < end && out.size() <= full;
       node = matcher.find(node + 1, end))
    out.push_back(node);
  if (matcher.is_out_of_steps()) return out_of_steps(selector, budget);
  return Done{};
}

Result<std::optional<NodeId>> select_first(const Document& document, const Selector& selector,
                                           NodeId scope, const SelectLimits& limits) {
  SelectBudget budget(limits);
  return select_first(document, selector, scope, budget);
}

Result<std::optional<NodeId>> select_first(const Document& document, const Selector& selector,
                                           NodeId scope, SelectBudget& budget) {
  return find_from(document, selector, scope, scope + 1, budget);
}

Result<std::optional<NodeId>> select_first_inclusive(const Document& document,
                                                     const Selector& selector, NodeId scope,
                                                     SelectBudget& budget) {
  return find_from(document, selector, scope, scope, budget);
}

Result<bool> matches(const Document& document, const Selector& selector, NodeId element,
                     const SelectLimits& limits) {
  SelectBudget budget(limits);
  SelectorMatcher matcher(document, selector.program(), element, budget);
  const bool result = document.is_element(element) && matcher.matches(element);
  if (matcher.is_out_of_steps()) return out_of_steps(selector, budget);
  return result;
}

}  // namespace heddle::html
