// SelectorMatcher decides whether elements of one document match one compiled selector. Exists for
// one select call and caches results per node. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "html/document.hpp"
#include "html/node_memo.hpp"
#include "html/selector.hpp"
#include "html/selector_program.hpp"

namespace heddle::html {

class SelectorMatcher {
 public:
  SelectorMatcher(const Document& document, const SelectorProgram& program, NodeId scope,
                  SelectBudget& budget);

  // Always false once the steps are used up.
  bool matches(NodeId element);
  [[nodiscard]] bool is_out_of_steps() const { return steps_left_ == 0; }

  // The next element from `from` (inclusive) to `end` (exclusive) that matches, or end.
  NodeId find(NodeId from, NodeId end);

 private:
  // Matching goes right to left. A failure says how far it reaches, so every ancestor is tried at
  // most once per compound.
  enum class Outcome : std::uint8_t {
    matched,
    fails_here,   // another element at this level may still match
    fails_above,  // no element below the same ancestors can match
  };

  // Cached result of match_ancestors for the children of one node: siblings share it.
  struct Above {
    NodeId parent = kNoNode;
    Outcome outcome = Outcome::fails_here;
  };

  bool spend(std::size_t steps);
  bool spend_on_attributes(NodeId node);
  // Like those of Document, but they count the nodes they skip as steps.
  NodeId previous_element(NodeId node);
  NodeId next_element(NodeId node);
  NodeId first_child_element(NodeId node);
  [[nodiscard]] NameId resolve(NameId name) const;
  [[nodiscard]] bool has_name(NodeId node, NameId found, const NamePair& wanted) const;

  bool matches_any(NodeId node, const SelectorList& list);
  Outcome match_from(NodeId node, const ComplexSelector& complex, std::size_t index);
  Outcome match_left(NodeId node, const ComplexSelector& complex, std::size_t index);
  Outcome match_ancestors(NodeId node, const ComplexSelector& complex, std::size_t index);
  Outcome climb_ancestors(NodeId node, const ComplexSelector& complex, std::size_t index);
  Outcome match_siblings(NodeId node, const ComplexSelector& complex, std::size_t index);
  bool has_earlier_sibling(NodeId node, const ComplexSelector& complex, std::size_t index);

  bool matches_compound(NodeId node, const CompoundSelector& compound);
  bool matches_test(NodeId node, const SelectorTest& test);
  bool matches_class(NodeId node, const SelectorTest& test);
  bool matches_attribute(NodeId node, const SelectorTest& test);
  bool has_language(NodeId node, std::string_view wanted);
  [[nodiscard]] bool is_scope(NodeId node) const;
  bool is_empty(NodeId node);
  bool contains(NodeId node, std::string_view text);
  bool contains_own(NodeId node, std::string_view text);

  bool matches_nth(NodeId node, const SelectorTest& test);
  bool counts(NodeId sibling, NodeId like, const SelectorTest& test);
  std::uint32_t position(NodeId node, const SelectorTest& test);
  std::uint32_t total(NodeId node, const SelectorTest& test);
  [[nodiscard]] std::uint32_t type_of(NodeId node) const;
  [[nodiscard]] std::uint32_t memo_kind(NodeId node, const SelectorTest& test) const;

  bool matches_has(NodeId node, const SelectorTest& test);
  bool finds_relative(const ComplexSelector& complex);
  bool finds_among_siblings(NodeId first, const ComplexSelector& complex, bool only_one);

  const Document& document_;
  const SelectorProgram& program_;
  NodeId scope_;
  std::size_t& steps_left_;
  std::vector<Above> above_;  // by CompoundSelector::memo
  NodeId anchor_ = kNoNode;
  std::vector<NameId> names_;  // the ids of program_.names in this document
  NodeMemo memo_;
};

}  // namespace heddle::html
