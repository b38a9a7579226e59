#include "html/selector_parser.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "html/css_scanner.hpp"
#include "html/nth_parser.hpp"
#include "html/selector_keywords.hpp"

namespace heddle::html {

namespace {

template <class List>
bool has(const List& list, std::string_view text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

template <class List>
const NthKind* find_kind(const List& kinds, std::string_view name) {
  const auto found = std::find_if(kinds.begin(), kinds.end(),
                                  [&](const NthKind& kind) { return kind.name == name; });
  return found == kinds.end() ? nullptr : &*found;
}

// ":scope + …" and ":scope ~ …" match behind the scope, not below it.
bool begins_beside_scope(const ComplexSelector& complex) {
  if (complex.compounds.size() < 2) return false;
  const auto& tests = complex.compounds[0].tests;
  const Combinator second = complex.compounds[1].left;
  return (second == Combinator::adjacent || second == Combinator::sibling) &&
         std::any_of(tests.begin(), tests.end(),
                     [](const SelectorTest& test) { return test.kind == TestKind::scope; });
}

// Recursive descent; every parse_… returns false after fail(), and the first error is kept.
class SelectorParser {
 public:
  explicit SelectorParser(std::string_view css) : scanner_(css) { program_.css = css; }

  Result<SelectorProgram> run() {
    if (program_.css.size() > kMaxSelectorBytes)
      fail(fmt::format("the selector is longer than {} bytes", kMaxSelectorBytes));
    else if (parse_list(program_.top, false) && !scanner_.at_end())
      fail(fmt::format("unexpected `{}`", scanner_.word(scanner_.position())));
    if (!error_.empty()) return Error{ErrorCode::bad_input, std::move(error_)};
    return std::move(program_);
  }

 private:
  bool fail(std::string_view message) { return fail_at(scanner_.position(), message); }

  bool fail_at(std::size_t position, std::string_view message) {
    if (error_.empty()) error_ = fmt::format("selector: position {}: {}", position + 1, message);
    return false;
  }

  // selector , selector , …
  bool parse_list(SelectorList& out, bool is_relative) {
    do {
      scanner_.skip_space();
      ComplexSelector complex;
      if (!parse_complex(complex, is_relative)) return false;
      complex.is_beside_scope = nesting_ == 0 && begins_beside_scope(complex);
      program_.searches_siblings |= complex.is_beside_scope;
      out.push_back(std::move(complex));
      scanner_.skip_space();
    } while (scanner_.take(','));
    return true;
  }

  bool parse_complex(ComplexSelector& out, bool is_relative) {
    Combinator left = Combinator::none;
    if (is_relative) {
      out.is_relative = true;
      CompoundSelector anchor;
      anchor.tests.emplace_back().kind = TestKind::anchor;
      out.compounds.push_back(std::move(anchor));
      left = take_combinator(Combinator::descendant);
    } else if (const char c = scanner_.peek(); c == '>' || c == '+' || c == '~') {
      if (nesting_ > 0)
        return fail(fmt::format("a selector cannot start with `{}` here; write `:scope {}`", c, c));
      out.compounds.emplace_back().tests.emplace_back().kind = TestKind::scope;
      left = take_combinator(Combinator::none);
      if (left == Combinator::sibling) out.compounds.back().memo = program_.memos++;
    }
    while (true) {
      CompoundSelector& compound = out.compounds.emplace_back();
      compound.left = left;
      if (!parse_compound(compound)) return false;
      left = take_combinator(Combinator::none);
      if (left == Combinator::none) return true;
      if (left == Combinator::sibling || left == Combinator::descendant)
        out.compounds.back().memo = program_.memos++;
    }
  }

  // The combinator at this position, or the given one; a space counts only before a compound.
  Combinator take_combinator(Combinator otherwise) {
    const bool has_space = scanner_.skip_space();
    auto found = otherwise;
    if (scanner_.take('>'))
      found = Combinator::child;
    else if (scanner_.take('+'))
      found = Combinator::adjacent;
    else if (scanner_.take('~'))
      found = Combinator::sibling;
    else if (has_space && otherwise == Combinator::none && !ends_complex())
      return Combinator::descendant;
    if (found != otherwise) scanner_.skip_space();
    return found;
  }

  [[nodiscard]] bool ends_complex() const {
    return scanner_.at_end() || scanner_.peek() == ',' || scanner_.peek() == ')';
  }

  bool parse_compound(CompoundSelector& out) {
    const std::size_t start = scanner_.position();
    if (!parse_type(out)) return false;
    while (!scanner_.at_end()) {
      const char c = scanner_.peek();
      if (c != '#' && c != '.' && c != '[' && c != ':') break;
      if (!parse_test(c, out)) return false;
    }
    if (scanner_.peek() == '|') return fail("namespaces are not supported; write the name alone");
    if (scanner_.position() == start) return fail_expected();
    std::stable_sort(out.tests.begin(), out.tests.end(),
                     [](const SelectorTest& a, const SelectorTest& b) { return a.kind < b.kind; });
    return true;
  }

  bool fail_expected() {
    if (ends_complex()) return fail("expected a selector here");
    if (scanner_.peek() == '&') return fail("`&` has no meaning here; write `:scope`");
    return fail(fmt::format("expected a selector, found `{}`", scanner_.word(scanner_.position())));
  }

  bool parse_type(CompoundSelector& out) {
    if (scanner_.take('*')) return true;
    if (auto name = scanner_.name()) {
      SelectorTest& test = out.tests.emplace_back();
      test.kind = TestKind::type;
      test.name = name_pair(*name);
    }
    return true;
  }

  bool parse_test(char first, CompoundSelector& out) {
    switch (first) {
      case '#':
        return parse_name_test(TestKind::id, "an id", out);
      case '.':
        return parse_name_test(TestKind::class_name, "a class name", out);
      case '[':
        return parse_attribute(out.tests.emplace_back());
      default:
        return parse_pseudo(out);
    }
  }

  bool parse_name_test(TestKind kind, std::string_view what, CompoundSelector& out) {
    const std::size_t start = scanner_.position();
    scanner_.advance();
    auto name = scanner_.name();
    if (!name) {
      const char c = scanner_.peek();
      const bool is_digit = c >= '0' && c <= '9';
      return fail_at(
          start,
          is_digit ? fmt::format("{} cannot start with a digit; write `\\3{} `", what, c)
                   : fmt::format("expected {} after `{}`", what, kind == TestKind::id ? '#' : '.'));
    }
    SelectorTest& test = out.tests.emplace_back();
    test.kind = kind;
    test.value = std::move(*name);
    return true;
  }

  NamePair name_pair(const std::string& written) {
    const std::string lower = to_lower_ascii(written);
    const NameId lower_id = name_id(lower);
    return {lower_id, lower == written ? lower_id : name_id(written)};
  }

  NameId name_id(const std::string& name) {
    if (const NameId id = find_known_name(name)) return id;
    auto& names = program_.names;
    const auto found = std::find(names.begin(), names.end(), name);
    const auto index = static_cast<NameId>(found - names.begin());
    if (found == names.end()) names.push_back(name);
    return kFirstOwnName + index;
  }

  // [name], [name=value], [name="value" i]
  bool parse_attribute(SelectorTest& test) {
    test.kind = TestKind::attribute;
    scanner_.advance();
    scanner_.skip_space();
    const auto name = scanner_.name();
    if (!name) return fail("expected an attribute name after `[`");
    test.name = name_pair(*name);
    test.ignores_case = has(kCaselessAttributes, to_lower_ascii(*name));
    scanner_.skip_space();
    if (scanner_.take(']')) return true;
    if (!parse_attribute_match(test) || !parse_attribute_value(test)) return false;
    scanner_.skip_space();
    return scanner_.take(']') || fail("expected `]`");
  }

  bool parse_attribute_match(SelectorTest& test) {
    for (const AttributeOperator& candidate : kAttributeOperators) {
      if (!scanner_.take(candidate.text)) continue;
      test.match = candidate.match;
      return true;
    }
    if (scanner_.peek() == '|') return fail("namespaces are not supported; write the name alone");
    return fail("expected `]` or one of = ~= |= ^= $= *=");
  }

  bool parse_attribute_value(SelectorTest& test) {
    scanner_.skip_space();
    auto value = scanner_.quoted();
    if (!value) value = scanner_.name();
    if (!value) return fail("expected a value; put it in quotes unless it is a plain word");
    test.value = std::move(*value);
    scanner_.skip_space();
    const auto flag_position = scanner_.position();
    const auto flag = scanner_.name();
    if (!flag) return true;
    if (!equals_ignoring_case(*flag, "i") && !equals_ignoring_case(*flag, "s"))
      return fail_at(flag_position, fmt::format("unknown flag `{}`; use `i` or `s`", *flag));
    test.ignores_case = equals_ignoring_case(*flag, "i");
    return true;
  }

  bool parse_pseudo(CompoundSelector& out) {
    const std::size_t start = scanner_.position();
    scanner_.advance();
    if (scanner_.peek() == ':') return fail_pseudo_element(start);
    const auto written = scanner_.name();
    if (!written) return fail_at(start, "expected a name after `:`");
    const std::string name = to_lower_ascii(*written);
    if (scanner_.take('(')) return parse_function(name, start, out);
    return parse_plain_pseudo(name, start, out);
  }

  bool fail_pseudo_element(std::size_t start) {
    return fail_at(start, fmt::format("`{}`: pseudo-elements are not supported; a field's `@name` "
                                      "reads an attribute, and text is read without it",
                                      scanner_.word(start)));
  }

  bool fail_unknown(std::size_t start, std::string_view name) {
    const std::string typed = fmt::format(":{}", name);
    const auto near = nearest_name(typed, kPseudoClasses);
    return fail_at(start,
                   near ? fmt::format("`{}` is not supported; did you mean `{}`?", typed, *near)
                        : fmt::format("`{}` is not supported; known are {}", typed,
                                      fmt::join(kPseudoClasses, " ")));
  }

  bool parse_plain_pseudo(const std::string& name, std::size_t start, CompoundSelector& out) {
    if (const NthKind* kind = find_kind(kEdgeKinds, name)) return add_edge(*kind, out);
    if (name == "only-child") return add_edge(kEdgeKinds[0], out) && add_edge(kEdgeKinds[1], out);
    if (name == "only-of-type") return add_edge(kEdgeKinds[2], out) && add_edge(kEdgeKinds[3], out);
    if (name == "empty" || name == "root" || name == "scope") {
      out.tests.emplace_back().kind = name == "empty"  ? TestKind::empty
                                      : name == "root" ? TestKind::root
                                                       : TestKind::scope;
      return true;
    }
    for (const SelectorAlias& alias : kSelectorAliases)
      if (alias.name == name) return add_alias(alias, out);
    if (has(kPseudoClasses, ":" + name))
      return fail(fmt::format("`:{}` needs an argument in brackets", name));
    return fail_unknown(start, name);
  }

  bool add_alias(const SelectorAlias& alias, CompoundSelector& out) {
    const CssScanner rest = std::exchange(scanner_, CssScanner(alias.meaning));
    ++nesting_;
    const bool is_parsed = parse_list_argument(TestKind::any_of, out);
    --nesting_;
    scanner_ = rest;
    return is_parsed;
  }

  bool add_edge(const NthKind& kind, CompoundSelector& out) {
    out.tests.push_back(make_nth(kind, {0, 1}));
    return true;
  }

  SelectorTest make_nth(const NthKind& kind, NthPattern pattern) {
    SelectorTest test;
    test.kind = TestKind::nth;
    test.from_end = kind.from_end;
    test.of_type = kind.of_type;
    test.nth = pattern;
    test.memo = program_.memos;
    program_.memos += 2;  // positions and totals
    return test;
  }

  bool parse_function(const std::string& name, std::size_t start, CompoundSelector& out) {
    if (++nesting_ > kMaxSelectorNesting)
      return fail_at(start,
                     fmt::format("brackets are nested more than {} deep", kMaxSelectorNesting));
    scanner_.skip_space();
    if (!parse_argument(name, start, out)) return false;
    scanner_.skip_space();
    --nesting_;
    return scanner_.take(')') || fail(fmt::format("expected `)` to end `:{}(`", name));
  }

  bool parse_argument(const std::string& name, std::size_t start, CompoundSelector& out) {
    if (name == "not") return parse_list_argument(TestKind::none_of, out);
    if (name == "is" || name == "where") return parse_list_argument(TestKind::any_of, out);
    if (name == "has") return parse_list_argument(TestKind::has, out);
    if (name == "lang") return parse_text_argument(TestKind::language, out);
    if (name == "contains") return parse_text_argument(TestKind::contains, out);
    if (name == "contains-own") return parse_text_argument(TestKind::contains_own, out);
    if (const NthKind* kind = find_kind(kNthKinds, name)) return parse_nth_argument(*kind, out);
    return fail_unknown(start, name);
  }

  bool parse_list_argument(TestKind kind, CompoundSelector& out) {
    SelectorTest test;
    test.kind = kind;
    if (kind == TestKind::has) test.memo = program_.memos++;
    if (!parse_nested_list(test, kind == TestKind::has)) return false;
    out.tests.push_back(std::move(test));
    return true;
  }

  bool parse_nested_list(SelectorTest& test, bool is_relative) {
    SelectorList list;
    if (!parse_list(list, is_relative)) return false;
    test.list = static_cast<std::uint32_t>(program_.lists.size());
    program_.lists.push_back(std::move(list));
    return true;
  }

  bool parse_text_argument(TestKind kind, CompoundSelector& out) {
    auto text = scanner_.quoted();
    if (!text) text = scanner_.name();
    if (!text) return fail("expected a text in quotes");
    SelectorTest& test = out.tests.emplace_back();
    test.kind = kind;
    test.value = std::move(*text);
    return true;
  }

  bool parse_nth_argument(const NthKind& kind, CompoundSelector& out) {
    const std::size_t start = scanner_.position();
    const auto pattern = parse_nth(scanner_);
    if (!pattern)
      return fail_at(start, "expected a number, `odd`, `even` or something like `2n+1`");
    SelectorTest test = make_nth(kind, *pattern);
    if (scanner_.skip_space() && !kind.of_type && !scanner_.at_end() && scanner_.peek() != ')') {
      const auto word = scanner_.name();
      if (!word || !equals_ignoring_case(*word, "of")) return fail("expected `of` or `)`");
      if (!parse_nested_list(test, false)) return false;
    }
    out.tests.push_back(std::move(test));
    return true;
  }

  CssScanner scanner_;
  SelectorProgram program_;
  std::string error_;
  int nesting_ = 0;
};

}  // namespace

Result<SelectorProgram> parse_selector(std::string_view css) {
  return SelectorParser(css).run();
}

}  // namespace heddle::html
