// SelectorProgram is a compiled selector: plain values that the matcher reads. Immutable.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "html/names.hpp"

namespace heddle::html {

// How a compound relates to the one on its left.
enum class Combinator : std::uint8_t { none, descendant, child, adjacent, sibling };

// In the order of evaluation: cheap tests first.
enum class TestKind : std::uint8_t {
  type,
  id,
  class_name,
  attribute,
  language,
  root,
  scope,
  anchor,  // the element that :has() tests; prepended to its arguments
  empty,
  nth,
  any_of,   // :is, :where
  none_of,  // :not
  contains,
  contains_own,
  has,
};

enum class AttributeMatch : std::uint8_t {
  exists,
  equals,
  has_word,      // ~=
  has_language,  // |=
  starts_with,
  ends_with,
  has_part,  // *=
};

struct NthPattern {  // a·n + b
  int step = 0;
  int offset = 0;

  [[nodiscard]] bool accepts(std::int64_t position) const {
    const std::int64_t distance = position - offset;
    if (step == 0) return distance == 0;
    return distance % step == 0 && distance / step >= 0;
  }
};

// A name in lower case, for HTML elements, and as written, for SVG and MathML. Ids of well-known
// names, or kFirstOwnName + an index into SelectorProgram::names.
struct NamePair {
  NameId lower = kNoName;
  NameId written = kNoName;
};
inline constexpr NameId kFirstOwnName = 1U << 31U;

inline constexpr std::uint32_t kNoList = 0xFFFFFFFF;

struct SelectorTest {
  TestKind kind = TestKind::type;
  AttributeMatch match = AttributeMatch::exists;
  bool ignores_case = false;
  bool from_end = false;  // nth
  bool of_type = false;   // nth
  NthPattern nth;
  NamePair name;                 // type, attribute
  std::uint32_t list = kNoList;  // any_of, none_of, has, nth: "of S"
  std::uint32_t memo = 0;        // has, nth: slot in the matcher's memo
  std::string value;
};

struct CompoundSelector {
  Combinator left = Combinator::none;
  std::uint32_t memo = 0;  // slot for the compound left of a "~" or a space
  std::vector<SelectorTest> tests;
};

struct ComplexSelector {
  std::vector<CompoundSelector> compounds;  // as written, left to right
  bool is_relative = false;                 // begins with an anchor
  bool is_beside_scope = false;             // ":scope + p", ":scope ~ p": behind it, not below it
};

using SelectorList = std::vector<ComplexSelector>;

struct SelectorProgram {
  std::string css;
  SelectorList top;
  std::vector<SelectorList> lists;  // arguments of pseudo-classes
  std::vector<std::string> names;   // not well known
  std::uint32_t memos = 0;
  bool searches_siblings = false;  // one of `top` is beside the scope
};

}  // namespace heddle::html
