// Parameters and results of a script's SQL statement. Plain values.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace heddle::store {

// NULL, boolean (stored as 0 or 1, never read back), integer, real, text or bytes. A string that is
// not UTF-8 is stored as a BLOB; both kinds are read back as strings.
using SqlValue = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

// Either kind, not both.
struct SqlParams {
  std::vector<SqlValue> positional;                     // one for each `?`
  std::vector<std::pair<std::string, SqlValue>> named;  // "x" for `:x`, `@x` or `$x`; absent: NULL
};

struct SqlRows {
  std::vector<std::string> columns;  // in the statement's order, names may repeat
  std::vector<std::vector<SqlValue>> rows;
};

// Stays an integer until a real number is added.
using Number = std::variant<std::int64_t, double>;

}  // namespace heddle::store
