// Selector is a CSS selector, compiled once per job and matched against many pages;
// docs/html-parser.md lists the supported syntax. Immutable, cheap to copy, shareable by threads.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "html/document.hpp"

namespace heddle::html {

struct SelectorProgram;

class Selector {
 public:
  // Fails with bad_input "selector: position 12: …"; positions are bytes, counted from 1.
  static Result<Selector> compile(std::string_view css);

  [[nodiscard]] const std::string& css() const;
  [[nodiscard]] const SelectorProgram& program() const { return *program_; }

 private:
  explicit Selector(std::shared_ptr<const SelectorProgram> program);
  std::shared_ptr<const SelectorProgram> program_;  // shared by the copies
};

// The most work of one select. One step is about one test of one node, or 16 bytes of text
// searched: ten million take well under a second for any page and selector.
struct SelectLimits {
  std::size_t max_steps = 10'000'000;
};

// A step budget that several selects share, such as all those of one page.
struct SelectBudget {
  explicit SelectBudget(const SelectLimits& limits)
      : max_steps(limits.max_steps), steps_left(limits.max_steps) {}

  std::size_t max_steps;
  std::size_t steps_left;
};

// Appends the descendants of scope that match, in document order and each once; a selector that
// starts with "+", "~" or ":scope +" finds what follows the scope. Ancestors outside the scope take
// part in matching, as in querySelectorAll. Fails (bad_input) only when page and
// selector together need more than max_steps; out then holds the matches so far.
Status select(const Document& document, const Selector& selector, NodeId scope,
              std::vector<NodeId>& out, const SelectLimits& limits = {});
Status select(const Document& document, const Selector& selector, NodeId scope,
              std::vector<NodeId>& out, SelectBudget& budget);
// The same, but ends once there are more than `most` matches.
Status select_at_most(const Document& document, const Selector& selector, NodeId scope,
                      std::size_t most, std::vector<NodeId>& out, SelectBudget& budget);

Result<std::optional<NodeId>> select_first(const Document& document, const Selector& selector,
                                           NodeId scope, const SelectLimits& limits = {});
Result<std::optional<NodeId>> select_first(const Document& document, const Selector& selector,
                                           NodeId scope, SelectBudget& budget);

// As select_first, but the scope itself is taken when it matches.
Result<std::optional<NodeId>> select_first_inclusive(const Document& document,
                                                     const Selector& selector, NodeId scope,
                                                     SelectBudget& budget);

// Whether one element matches; :scope is the element itself, as in Element.matches.
Result<bool> matches(const Document& document, const Selector& selector, NodeId element,
                     const SelectLimits& limits = {});

}  // namespace heddle::html
