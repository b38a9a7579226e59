// The compiled form of a JSONPath query: segments of selectors, and the expressions of filters as a
// flat list. Written by JsonPathParser, read by JsonPathEvaluator.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace re2 {
class RE2;
}

namespace heddle::pages {

using FilterId = std::uint32_t;  // index into JsonPathProgram::filters

enum class PathSelectorKind : std::uint8_t { name, wildcard, index, slice, filter };

struct PathSelector {
  PathSelectorKind kind = PathSelectorKind::wildcard;
  std::string name;
  std::optional<std::int64_t> start;  // the index, or the first part of a slice
  std::optional<std::int64_t> end;
  std::int64_t step = 1;
  FilterId filter = 0;
};

struct PathSegment {
  bool is_descendant = false;
  std::vector<PathSelector> selectors;
};

struct PathQuery {
  bool is_relative = false;  // starts at "@"
  std::vector<PathSegment> segments;

  [[nodiscard]] bool is_singular() const {
    for (const PathSegment& segment : segments) {
      if (segment.is_descendant || segment.selectors.size() != 1) return false;
      const PathSelectorKind kind = segment.selectors[0].kind;
      if (kind != PathSelectorKind::name && kind != PathSelectorKind::index) return false;
    }
    return true;
  }
};

enum class FilterKind : std::uint8_t {
  either,    // arguments: two or more tests
  both,      // arguments: two or more tests
  negated,   // argument: a test
  compared,  // arguments: two values
  exists,    // a query that selects something
  query,     // the value of a singular query, or the nodes of any
  call,
  number,
  text,
  boolean,
  null,
};

enum class PathComparison : std::uint8_t { equal, different, less, less_equal, more, more_equal };
enum class PathFunction : std::uint8_t { length, count, match, search, value };

struct FilterExpression {
  FilterKind kind = FilterKind::null;
  PathComparison comparison = PathComparison::equal;
  PathFunction function = PathFunction::length;
  bool flag = false;
  double number = 0;
  std::string text;
  std::vector<FilterId> arguments;
  PathQuery query;
  // Of match() and search() with a literal pattern: compiled, or null when it is no I-Regexp.
  bool has_fixed_pattern = false;
  std::shared_ptr<const re2::RE2> pattern;
};

struct JsonPathProgram {
  std::string text;
  PathQuery query;
  std::vector<FilterExpression> filters;
};

}  // namespace heddle::pages
