// The compiled form of an XPath expression: a flat list of expressions that refer to each other.
// Written by XPathParser, read by XPathEvaluator.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::html {

using XPathId = std::uint32_t;  // index into XPathProgram::expressions
inline constexpr XPathId kNoXPath = 0xFFFFFFFF;

enum class XPathAxis : std::uint8_t {
  child,
  descendant,
  descendant_or_self,
  parent,
  ancestor,
  ancestor_or_self,
  following_sibling,
  preceding_sibling,
  following,
  preceding,
  attribute,
  namespaces,
  self,
};

enum class NodeTestKind : std::uint8_t {
  any,
  text,
  comment,
  instruction,
  all_names,
  in_space,
  name
};

// in_space and name: with a namespace when the prefix is declared, else the prefix as written.
struct NodeTest {
  NodeTestKind kind = NodeTestKind::any;
  bool has_prefix = false;
  bool has_space = false;
  std::string prefix;
  std::string name;        // without prefix; of an instruction: its target, or empty
  std::string space;       // the namespace's URI
  std::uint32_t slot = 0;  // of the names that are looked up once per page
};

struct XPathStep {
  XPathAxis axis = XPathAxis::child;
  NodeTest test;
  std::vector<XPathId> predicates;
  bool counts = false;  // a predicate depends on the position
};

enum class XPathOperator : std::uint8_t {
  either,
  both,
  equal,
  different,
  less,
  less_equal,
  more,
  more_equal,
  plus,
  minus,
  times,
  divide,
  modulo,
  negate,
  unite,
  path,    // steps from the root, the context node or the nodes of arguments[0]
  filter,  // the nodes of arguments[0] that all predicates (the other arguments) accept
  number,
  text,
  call,
};

enum class XPathType : std::uint8_t { nodes, number, text, boolean };

enum class XPathFunction : std::uint8_t {
  last,
  position,
  count,
  id,
  local_name,
  namespace_uri,
  name,
  string,
  concat,
  starts_with,
  contains,
  substring_before,
  substring_after,
  substring,
  string_length,
  normalize_space,
  translate,
  boolean,
  negation,
  truth,
  falsehood,
  lang,
  number,
  sum,
  floor,
  ceiling,
  round,
};

struct XPathExpression {
  XPathOperator op = XPathOperator::number;
  XPathType type = XPathType::number;
  XPathFunction function = XPathFunction::last;
  bool is_absolute = false;          // of a path
  bool depends_on_position = false;  // of the context, not of an inner one
  double number = 0;
  std::string text;
  std::vector<XPathId> arguments;
  std::vector<XPathStep> steps;
};

struct XPathProgram {
  std::string text;
  std::vector<XPathExpression> expressions;
  XPathId top = 0;
  std::vector<std::string> names;  // by NodeTest::slot, as written
};

}  // namespace heddle::html
