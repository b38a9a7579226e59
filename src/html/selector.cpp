#include "html/selector.hpp"

#include <utility>

#include <fmt/format.h>

#include "html/selector_matcher.hpp"
#include "html/selector_parser.hpp"

namespace heddle::html {

namespace {

Error out_of_steps(const Selector& selector, const SelectLimits& limits) {
  return {ErrorCode::bad_input,
          fmt::format("selector: `{}` needs more than {} steps on this page; make it simpler",
                      selector.css(), limits.max_steps)};
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
  SelectorMatcher matcher(document, selector.program(), scope, limits.max_steps);
  const NodeId end = document.subtree_end(scope);
  for (NodeId node = matcher.find(scope + 1, end); node < end; node = matcher.find(node + 1, end))
    out.push_back(node);
  if (matcher.is_out_of_steps()) return out_of_steps(selector, limits);
  return Done{};
}

Result<std::optional<NodeId>> select_first(const Document& document, const Selector& selector,
                                           NodeId scope, const SelectLimits& limits) {
  SelectorMatcher matcher(document, selector.program(), scope, limits.max_steps);
  const NodeId end = document.subtree_end(scope);
  const NodeId node = matcher.find(scope + 1, end);
  if (matcher.is_out_of_steps()) return out_of_steps(selector, limits);
  return node < end ? std::optional(node) : std::nullopt;
}

Result<bool> matches(const Document& document, const Selector& selector, NodeId element,
                     const SelectLimits& limits) {
  SelectorMatcher matcher(document, selector.program(), element, limits.max_steps);
  const bool result = document.is_element(element) && matcher.matches(element);
  if (matcher.is_out_of_steps()) return out_of_steps(selector, limits);
  return result;
}

}  // namespace heddle::html
