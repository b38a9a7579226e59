// Reads a value of any type: lists element by element, tables key by key, every problem with its
// line. Pure, except for zones (see check_zone()).
#pragma once

#include <string>
#include <vector>

#include "config/environment.hpp"
#include "config/key_table.hpp"
#include "config/read/values/toml_value.hpp"
#include "config/settings.hpp"

namespace heddle::config {

struct ValueProblem {
  int line = 0;
  std::string below;  // the part under the key: ".regex"; usually empty
  std::string message;
  ProblemSeverity severity = ProblemSeverity::error;
};
using ValueProblems = std::vector<ValueProblem>;

// The result of reading one value. Its texts must be substituted before.
struct ReadValue {
  Typed value;
  ValueProblems value_problems;
  bool prevents_running = false;  // a word whose feature is not available yet
};
ReadValue read_value(const Key& key, const TomlValue& value, const Environment& environment);

// One entry of a text_map or header_map.
ReadValue read_map_entry(const Key& key, const TomlEntry& entry);

// The message for a key that the section does not have, with a suggestion.
std::string unknown_key(const Section& section, std::string_view name);

}  // namespace heddle::config
