#include "html/selector_matcher.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "html/attribute_match.hpp"

namespace heddle::html {

namespace {

// Work that takes about as long as one test of one node.
constexpr std::size_t kBytesPerStep = 16;       // of text searched
constexpr std::size_t kAttributesPerStep = 16;  // of one element, skipped
constexpr std::size_t kTestsPerStep = 4;
constexpr std::size_t kPassedPerStep = 16;

bool is_language(std::string_view language, std::string_view range) {
  if (!equals_ignoring_case(language.substr(0, range.size()), range)) return false;
  return language.size() <= range.size() || language[range.size()] == '-';
}

}  // namespace

SelectorMatcher::SelectorMatcher(const Document& document, const SelectorProgram& program,
                                 NodeId scope, SelectBudget& budget)
    : document_(document),
      program_(program),
      scope_(scope),
      steps_left_(budget.steps_left),
      above_(program.memos) {
  for (const std::string& name : program.names) names_.push_back(document.find_name(name));
}

bool SelectorMatcher::spend(std::size_t steps) {
  steps_left_ -= std::min(steps, steps_left_);
  return steps_left_ != 0;
}

NameId SelectorMatcher::resolve(NameId name) const {
  return name < kFirstOwnName ? name : names_[name - kFirstOwnName];
}

bool SelectorMatcher::has_name(NodeId node, NameId found, const NamePair& wanted) const {
  const bool is_html = document_.space(node) == Namespace::html;
  return found != kNoName && found == resolve(is_html ? wanted.lower : wanted.written);
}

bool SelectorMatcher::matches(NodeId element) {
  const bool is_behind_scope = element >= document_.subtree_end(scope_);
  if (!is_behind_scope) return matches_any(element, program_.top);
  return std::any_of(program_.top.begin(), program_.top.end(), [&](const ComplexSelector& complex) {
    return complex.is_beside_scope &&
           match_from(element, complex, complex.compounds.size() - 1) == Outcome::matched;
  });
}

NodeId SelectorMatcher::find(NodeId from, NodeId end) {
  // Most selectors end in one tag name: skip all other nodes without a call.
  const CompoundSelector& last = program_.top.front().compounds.back();
  const bool has_type =
      program_.top.size() == 1 && !last.tests.empty() && last.tests.front().kind == TestKind::type;
  const NamePair wanted = has_type ? last.tests.front().name : NamePair{};
  const NameId lower = resolve(wanted.lower);
  const NameId written = resolve(wanted.written);
  NodeId node = from;
  for (; node < end && !is_out_of_steps(); ++node) {
    if (has_type && document_.tag(node) != lower && document_.tag(node) != written) continue;
    if (document_.is_element(node) && matches(node)) break;
  }
  return spend((node - from) / kPassedPerStep) ? node : end;
}

bool SelectorMatcher::matches_any(NodeId node, const SelectorList& list) {
  for (const ComplexSelector& complex : list)
    if (match_from(node, complex, complex.compounds.size() - 1) == Outcome::matched) return true;
  return false;
}

SelectorMatcher::Outcome SelectorMatcher::match_from(NodeId node, const ComplexSelector& complex,
                                                     std::size_t index) {
  // No node before the anchor can be between it and a match of :has().
  if (complex.is_relative && node < anchor_) return Outcome::fails_above;
  if (!matches_compound(node, complex.compounds[index])) return Outcome::fails_here;
  return match_left(node, complex, index);
}

// The compound at index matches node; matches the compounds to its left.
SelectorMatcher::Outcome SelectorMatcher::match_left(NodeId node, const ComplexSelector& complex,
                                                     std::size_t index) {
  switch (complex.compounds[index].left) {
    case Combinator::none:
      return Outcome::matched;
    case Combinator::descendant:
      return match_ancestors(node, complex, index - 1);
    case Combinator::child: {
      const NodeId parent = document_.parent(node);
      if (parent == Document::root()) return Outcome::fails_above;
      return match_from(parent, complex, index - 1);
    }
    case Combinator::adjacent: {
      const NodeId previous = previous_element(node);
      if (previous == kNoNode) return Outcome::fails_here;
      return match_from(previous, complex, index - 1);
    }
    case Combinator::sibling:
      return match_siblings(node, complex, index - 1);
  }
  return Outcome::fails_here;
}

SelectorMatcher::Outcome SelectorMatcher::match_ancestors(NodeId node,
                                                          const ComplexSelector& complex,
                                                          std::size_t index) {
  const NodeId parent = document_.parent(node);
  // The result for a relative selector depends on its anchor, so it is not cached.
  if (complex.is_relative) return climb_ancestors(parent, complex, index);
  const std::uint32_t owner = complex.compounds[index].memo;
  if (above_[owner].parent != parent)
    above_[owner] = {parent, climb_ancestors(parent, complex, index)};
  return above_[owner].outcome;
}

SelectorMatcher::Outcome SelectorMatcher::climb_ancestors(NodeId node,
                                                          const ComplexSelector& complex,
                                                          std::size_t index) {
  for (; node != Document::root(); node = document_.parent(node)) {
    const Outcome outcome = match_from(node, complex, index);
    if (outcome != Outcome::fails_here) return outcome;
  }
  return Outcome::fails_above;
}

NodeId SelectorMatcher::previous_element(NodeId node) {
  do {
    node = document_.previous(node);
  } while (node != kNoNode && !document_.is_element(node) && spend(1));
  return node;
}

NodeId SelectorMatcher::next_element(NodeId node) {
  do {
    node = document_.next(node);
  } while (node != kNoNode && !document_.is_element(node) && spend(1));
  return node;
}

NodeId SelectorMatcher::first_child_element(NodeId node) {
  const NodeId child = document_.first_child(node);
  return child == kNoNode || document_.is_element(child) ? child : next_element(child);
}

SelectorMatcher::Outcome SelectorMatcher::match_siblings(NodeId node,
                                                         const ComplexSelector& complex,
                                                         std::size_t index) {
  if (!complex.is_relative)
    return has_earlier_sibling(node, complex, index) ? Outcome::matched : Outcome::fails_here;
  // The result for a relative selector depends on its anchor, so it is not cached.
  for (node = previous_element(node); node != kNoNode; node = previous_element(node)) {
    const Outcome outcome = match_from(node, complex, index);
    if (outcome != Outcome::fails_here) return outcome;
  }
  return Outcome::fails_here;
}

// Caches per parent the first matching child and the position of the search, so that siblings are
// searched once in all.
bool SelectorMatcher::has_earlier_sibling(NodeId node, const ComplexSelector& complex,
                                          std::size_t index) {
  const NodeId parent = document_.parent(node);
  const std::uint32_t owner = complex.compounds[index].memo;
  auto [key, first_match, next] = memo_.at(owner, 0, parent);
  if (next == 0) next = first_child_element(parent);
  while (first_match == kNoNode && next < node && spend(1)) {
    if (match_from(next, complex, index) == Outcome::matched) first_match = next;
    next = next_element(next);
  }
  auto& entry = memo_.at(owner, 0, parent);
  entry.node = first_match;
  entry.number = next;
  return first_match < node;
}

bool SelectorMatcher::matches_compound(NodeId node, const CompoundSelector& compound) {
  if (!spend(1 + compound.tests.size() / kTestsPerStep)) return false;
  return std::all_of(compound.tests.begin(), compound.tests.end(),
                     [&](const SelectorTest& test) { return matches_test(node, test); });
}

bool SelectorMatcher::matches_test(NodeId node, const SelectorTest& test) {
  switch (test.kind) {
    case TestKind::type:
      return has_name(node, document_.tag(node), test.name);
    case TestKind::id:
      return spend_on_attributes(node) && document_.id(node) == test.value;
    case TestKind::class_name:
      return matches_class(node, test);
    case TestKind::attribute:
      return matches_attribute(node, test);
    case TestKind::language:
      return has_language(node, test.value);
    case TestKind::root:
      return document_.parent(node) == Document::root();
    case TestKind::scope:
      return is_scope(node);
    case TestKind::anchor:
      return node == anchor_;
    case TestKind::empty:
      return is_empty(node);
    case TestKind::nth:
      return matches_nth(node, test);
    case TestKind::any_of:
      return matches_any(node, program_.lists[test.list]);
    case TestKind::none_of:
      return !matches_any(node, program_.lists[test.list]) && !is_out_of_steps();
    case TestKind::contains:
      return contains(node, test.value);
    case TestKind::contains_own:
      return contains_own(node, test.value);
    case TestKind::has:
      return matches_has(node, test);
  }
  return false;
}

// A page controls the number and length of attributes, so both cost steps.
bool SelectorMatcher::spend_on_attributes(NodeId node) {
  const std::size_t steps = document_.attributes(node).size() / kAttributesPerStep;
  return steps == 0 || spend(steps);
}

bool SelectorMatcher::matches_class(NodeId node, const SelectorTest& test) {
  if (!spend_on_attributes(node)) return false;
  const std::string_view names = document_.class_names(node);
  return spend(names.size() / kBytesPerStep) && has_class(names, test.value);
}

bool SelectorMatcher::matches_attribute(NodeId node, const SelectorTest& test) {
  const bool is_html = document_.space(node) == Namespace::html;
  const NameId name = resolve(is_html ? test.name.lower : test.name.written);
  if (name == kNoName || !spend_on_attributes(node)) return false;
  const auto value = document_.attribute(node, name);
  return value && spend(bytes_compared(test, *value) / kBytesPerStep) &&
         attribute_matches(test, *value);
}

// The nearest element with a language decides: "de" matches "de" and "de-AT".
bool SelectorMatcher::has_language(NodeId node, std::string_view wanted) {
  for (; node != Document::root() && spend(1); node = document_.parent(node)) {
    const auto language = document_.attribute(node, known("lang"));
    if (!language) continue;
    return wanted == "*" ? !language->empty() : is_language(*language, wanted);
  }
  return false;
}

bool SelectorMatcher::is_scope(NodeId node) const {
  return node == (scope_ == Document::root() ? document_.root_element() : scope_);
}

bool SelectorMatcher::is_empty(NodeId node) {
  for (NodeId child = document_.first_child(node); child != kNoNode; child = document_.next(child))
    if (document_.is_element(child) || document_.kind(child) == NodeKind::text || !spend(1))
      return false;
  return true;
}

bool SelectorMatcher::contains(NodeId node, std::string_view text) {
  const std::string_view all = document_.text(node);
  return spend(all.size() / kBytesPerStep) && has_part(all, text);
}

bool SelectorMatcher::contains_own(NodeId node, std::string_view text) {
  for (NodeId child = document_.first_child(node); child != kNoNode && spend(1);
       child = document_.next(child))
    if (document_.kind(child) == NodeKind::text && contains(child, text)) return true;
  return false;
}

bool SelectorMatcher::matches_nth(NodeId node, const SelectorTest& test) {
  if (test.list != kNoList && !matches_any(node, program_.lists[test.list])) return false;
  std::int64_t index = position(node, test);
  if (test.from_end) index = std::int64_t{total(node, test)} - index + 1;
  return test.nth.accepts(index) && !is_out_of_steps();
}

bool SelectorMatcher::counts(NodeId sibling, NodeId like, const SelectorTest& test) {
  if (!document_.is_element(sibling)) return false;
  if (test.of_type) return type_of(sibling) == type_of(like);
  return test.list == kNoList || matches_any(sibling, program_.lists[test.list]);
}

std::uint32_t SelectorMatcher::memo_kind(NodeId node, const SelectorTest& test) const {
  return test.of_type ? type_of(node) : 0;
}

// Of the namespaces of XML the qualified name is enough.
std::uint32_t SelectorMatcher::type_of(NodeId node) const {
  const Namespace space = std::min(document_.space(node), Namespace::none);
  return document_.tag(node) << 2U | static_cast<std::uint32_t>(space);
}

// The index of node among the siblings that count, from 1. Continues from the sibling of the last
// call, so in document order all siblings are counted once.
std::uint32_t SelectorMatcher::position(NodeId node, const SelectorTest& test) {
  const NodeId parent = document_.parent(node);
  const std::uint32_t kind = memo_kind(node, test);
  auto [key, last, count] = memo_.at(test.memo, kind, parent);
  NodeId at = 0;
  if (last == kNoNode || last > node) {
    count = 0;
    at = document_.first_child(parent);
  } else {
    at = last == node ? kNoNode : document_.next(last);
  }
  for (; at != kNoNode && at <= node && spend(1); at = document_.next(at))
    if (counts(at, node, test)) ++count;
  auto& entry = memo_.at(test.memo, kind, parent);
  entry.node = node;
  entry.number = count;
  return count;
}

std::uint32_t SelectorMatcher::total(NodeId node, const SelectorTest& test) {
  const NodeId parent = document_.parent(node);
  const std::uint32_t kind = memo_kind(node, test);
  const auto known_total = memo_.at(test.memo + 1, kind, parent);
  if (known_total.node != kNoNode) return known_total.number;
  std::uint32_t count = 0;
  for (NodeId at = document_.first_child(parent); at != kNoNode && spend(1);
       at = document_.next(at))
    if (counts(at, node, test)) ++count;
  auto& entry = memo_.at(test.memo + 1, kind, parent);
  entry.node = parent;
  entry.number = count;
  return count;
}

bool SelectorMatcher::matches_has(NodeId node, const SelectorTest& test) {
  const auto answer = memo_.at(test.memo, 0, node);
  if (answer.node != kNoNode) return answer.number != 0;
  const NodeId outer_anchor = std::exchange(anchor_, node);
  const SelectorList& list = program_.lists[test.list];
  const bool found = std::any_of(list.begin(), list.end(), [&](const ComplexSelector& complex) {
    return finds_relative(complex);
  });
  anchor_ = outer_anchor;
  auto& entry = memo_.at(test.memo, 0, node);
  entry.node = node;
  entry.number = found ? 1 : 0;
  return found;
}

// Searches for an element that matches the relative selector from the anchor.
bool SelectorMatcher::finds_relative(const ComplexSelector& complex) {
  const std::size_t last = complex.compounds.size() - 1;
  const Combinator first = complex.compounds[1].left;
  const bool is_beside = first == Combinator::adjacent || first == Combinator::sibling;
  if (is_beside && last == 1)
    return finds_among_siblings(next_element(anchor_), complex, first == Combinator::adjacent);
  if (first == Combinator::child && last == 1)
    return finds_among_siblings(first_child_element(anchor_), complex, false);

  const NodeId from = is_beside ? document_.subtree_end(anchor_) : anchor_ + 1;
  const NodeId end = document_.subtree_end(is_beside ? document_.parent(anchor_) : anchor_);
  for (NodeId node = from; node < end && spend(1); ++node)
    if (document_.is_element(node) && match_from(node, complex, last) == Outcome::matched)
      return true;
  return false;
}

bool SelectorMatcher::finds_among_siblings(NodeId first, const ComplexSelector& complex,
                                           bool only_one) {
  for (NodeId node = first; node != kNoNode; node = next_element(node)) {
    if (matches_compound(node, complex.compounds.back())) return true;
    if (only_one || is_out_of_steps()) return false;
  }
  return false;
}

}  // namespace heddle::html
