// Matches random selectors on random pages: the matcher must agree with the reference below, which
// follows the definition in the standard, tries everything and caches nothing.
#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "html/attribute_match.hpp"
#include "html/parse.hpp"
#include "html/selector.hpp"
#include "html/selector_program.hpp"

namespace heddle::html {
namespace {

class ReferenceMatcher {
 public:
  ReferenceMatcher(const Document& document, const SelectorProgram& program, NodeId scope)
      : document_(document), program_(program), scope_(scope) {}

  bool matches(NodeId node, const SelectorList& list, NodeId anchor) const {
    for (const ComplexSelector& complex : list)
      if (matches(node, complex, complex.compounds.size() - 1, anchor)) return true;
    return false;
  }

 private:
  bool matches(NodeId node, const ComplexSelector& complex, std::size_t index,
               NodeId anchor) const {
    for (const SelectorTest& test : complex.compounds[index].tests)
      if (!matches(node, test, anchor)) return false;
    const Combinator left = complex.compounds[index].left;
    if (left == Combinator::none) return true;
    for (NodeId other = 1; other < document_.size(); ++other)
      if (document_.is_element(other) && stands(other, left, node) &&
          matches(other, complex, index - 1, anchor))
        return true;
    return false;
  }

  // Whether "other left node" holds.
  bool stands(NodeId other, Combinator left, NodeId node) const {
    switch (left) {
      case Combinator::descendant:
        return other < node && node < document_.subtree_end(other);
      case Combinator::child:
        return document_.parent(node) == other;
      case Combinator::adjacent:
        return document_.previous_element(node) == other;
      case Combinator::sibling:
        return document_.parent(node) == document_.parent(other) && other < node;
      case Combinator::none:
        break;
    }
    return false;
  }

  bool matches(NodeId node, const SelectorTest& test, NodeId anchor) const {
    switch (test.kind) {
      case TestKind::type:
        return document_.tag(node) == test.name.lower;
      case TestKind::class_name:
        return has_class(document_.class_names(node), test.value);
      case TestKind::id:
        return document_.id(node) == test.value;
      case TestKind::attribute:
        return document_.attribute(node, test.name.lower).has_value() &&
               attribute_matches(test, *document_.attribute(node, test.name.lower));
      case TestKind::root:
        return node == document_.root_element();
      case TestKind::scope:
        return node == scope_;
      case TestKind::anchor:
        return node == anchor;
      case TestKind::empty:
        return document_.text(node).empty() && document_.first_child_element(node) == kNoNode;
      case TestKind::contains:
        return document_.text(node).find(test.value) != std::string_view::npos;
      case TestKind::any_of:
        return matches(node, program_.lists[test.list], kNoNode);
      case TestKind::none_of:
        return !matches(node, program_.lists[test.list], kNoNode);
      case TestKind::has:
        return has(node, test);
      case TestKind::nth:
        return nth(node, test);
      case TestKind::language:
      case TestKind::contains_own:
        break;  // not generated
    }
    return false;
  }

  bool has(NodeId node, const SelectorTest& test) const {
    for (NodeId other = 1; other < document_.size(); ++other)
      if (document_.is_element(other) && matches(other, program_.lists[test.list], node))
        return true;
    return false;
  }

  bool nth(NodeId node, const SelectorTest& test) const {
    std::int64_t index = 0;
    for (NodeId other = 1; other < document_.size(); ++other) {
      if (!document_.is_element(other) || document_.parent(other) != document_.parent(node))
        continue;
      const bool is_counted = test.from_end ? other >= node : other <= node;
      if (is_counted && counts(other, node, test)) ++index;
    }
    if (!counts(node, node, test)) return false;
    for (int n = 0; n < 1000; ++n)
      if (std::int64_t{test.nth.step} * n + test.nth.offset == index) return true;
    return false;
  }

  bool counts(NodeId other, NodeId node, const SelectorTest& test) const {
    if (test.of_type) return document_.tag(other) == document_.tag(node);
    return test.list == kNoList || matches(other, program_.lists[test.list], kNoNode);
  }

  const Document& document_;
  const SelectorProgram& program_;
  NodeId scope_;
};

class SelectorGenerator {
 public:
  explicit SelectorGenerator(unsigned seed) : random_(seed) {}

  std::string page() {
    std::string out = "<body>";
    for (int i = 0; i < 4; ++i) element(out, 0);
    return out;
  }

  std::string selector_list(int depth, bool is_relative) {
    std::string out = complex(depth, is_relative);
    while (one_in(4)) out += ", " + complex(depth, is_relative);
    return out;
  }

  int pick(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }
  bool one_in(int count) { return pick(count) == 0; }

 private:
  std::string any(std::initializer_list<const char*> choices) {
    return choices.begin()[pick(static_cast<int>(choices.size()))];
  }

  void element(std::string& out, int depth) {
    const std::string tag = any({"div", "section", "span", "i"});
    out += "<" + tag;
    if (one_in(2)) out += " class='" + any({"x", "y", "x y", "xy"}) + "'";
    if (one_in(3)) out += " title='" + any({"", "k", "k m", "K"}) + "'";
    out += ">";
    const int children = depth > 3 ? 0 : pick(4);
    for (int i = 0; i < children; ++i) {
      if (one_in(4)) out += any({"t", " ", "<!-- c -->", "word"});
      element(out, depth + 1);
    }
    out += "</" + tag + ">";
  }

  std::string complex(int depth, bool is_relative) {
    std::string out = is_relative ? any({"", "> ", "+ ", "~ "}) : "";
    out += compound(depth);
    while (one_in(2)) out += any({" ", " > ", " + ", " ~ "}) + compound(depth);
    return out;
  }

  std::string compound(int depth) {
    std::string out = any({"*", "div", "section", "span", "i", "*", "div"});
    while (one_in(3)) out += simple();
    if (depth > 0 && one_in(3)) out += nested(depth - 1);
    return out;
  }

  std::string simple() {
    return any({".x", ".y", "[title]", "[title=k]", "[title~=m]", "[title^=k i]", ":empty",
                ":first-child", ":last-of-type", ":only-child", ":nth-child(2n)",
                ":nth-last-child(-n+2)", ":nth-of-type(odd)", ":nth-last-of-type(2)", ":root",
                ":scope", ":contains('t')"});
  }

  std::string nested(int depth) {
    if (one_in(4)) return ":nth-child(2n+1 of " + selector_list(depth, false) + ")";
    if (one_in(3)) return ":has(" + selector_list(depth, true) + ")";
    return any({":not(", ":is("}) + selector_list(depth, false) + ")";
  }

  std::mt19937 random_;
};

std::string describe(const std::vector<NodeId>& nodes) {
  std::string out;
  for (const NodeId node : nodes) out += std::to_string(node) + " ";
  return out;
}

bool has_test(const CompoundSelector& compound, TestKind kind) {
  return std::any_of(compound.tests.begin(), compound.tests.end(),
                     [&](const SelectorTest& test) { return test.kind == kind; });
}

void expect_agreement(unsigned seed) {
  SelectorGenerator maker(seed);
  const std::string page = maker.page();
  const auto document = parse(page);
  ASSERT_TRUE(document);
  const std::string css = maker.selector_list(2, false);
  const auto selector = Selector::compile(css);
  ASSERT_TRUE(selector) << selector.error().message << "\n" << css;
  NodeId scope = document->body();
  if (maker.one_in(3) && document->first_child_element(scope) != kNoNode)
    scope = document->first_child_element(scope);

  const ReferenceMatcher reference(*document, selector->program(), scope);
  std::vector<NodeId> expected;
  for (NodeId node = scope + 1; node < document->subtree_end(scope); ++node)
    if (document->is_element(node) && reference.matches(node, selector->program().top, kNoNode))
      expected.push_back(node);
  // Behind the scope only what is named relative to it.
  SelectorList beside;
  for (const ComplexSelector& complex : selector->program().top)
    if (complex.compounds.size() > 1 && has_test(complex.compounds[0], TestKind::scope) &&
        complex.compounds[1].left >= Combinator::adjacent)
      beside.push_back(complex);
  for (NodeId node = document->subtree_end(scope);
       node < document->subtree_end(document->parent(scope)); ++node)
    if (document->is_element(node) && reference.matches(node, beside, kNoNode))
      expected.push_back(node);
  std::vector<NodeId> actual;
  ASSERT_TRUE(select(*document, *selector, scope, actual));
  ASSERT_EQ(describe(actual), describe(expected)) << "seed " << seed << "\n" << css << "\n" << page;
}

TEST(SelectorMatcher, AgreesWithTheDefinitionOnRandomPagesAndSelectors) {
  for (unsigned seed = 1; seed <= 3200 && !HasFatalFailure(); ++seed) expect_agreement(seed);
}

}  // namespace
}  // namespace heddle::html
