// Texts made from the key table: one key explained, the schema for editors, the reference page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace heddle::config {

// "limits.body", "timeout", "hosts.example.com.delay": type, default, what is allowed, an example.
// not_found, with the nearest names, for a key that does not exist.
Result<std::string> explain(std::string_view key);

// The same in parts: a key may be found in several places.
struct Explanation {
  std::string key;  // its whole path
  std::string_view help;
  std::string_view type;
  std::string allowed;  // empty: whatever the type allows
  std::string preset;   // as TOML, or prose in brackets; empty: none
  std::vector<std::string_view> keys_below;
  std::string_view where;
  bool available = true;  // false: accepted and checked, but has no effect yet
  std::string example;
};
Result<std::vector<Explanation>> explain_places(std::string_view key);

// JSON Schema (2020-12) of heddle.toml, jobs.toml and config.toml: docs/heddle.schema.json.
std::string json_schema();

// Markdown: docs/configuration.md.
std::string reference_page();

}  // namespace heddle::config
