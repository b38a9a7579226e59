// Renders the key table: the explanation of one key, the JSON Schema for editors, the reference
// page. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace heddle::config {

// "limits.body", "timeout", "hosts.example.com.delay": type, default, allowed values, an example.
// Returns not_found with the nearest names for an unknown key.
Result<std::string> explain(std::string_view key);

// The same as values: one key may exist in several sections.
struct Explanation {
  std::string key;  // full path
  std::string_view help;
  std::string_view type;
  std::string allowed;  // empty: any value of the type
  std::string preset;   // as TOML, or prose in brackets; empty: none
  std::vector<std::string_view> keys_below;
  std::string_view where;
  bool available = true;  // false: accepted and checked, but has no effect yet
  std::string example;
};
Result<std::vector<Explanation>> explain_all(std::string_view key);

// All keys that have an effect, by section.
std::string list_keys();
std::vector<Explanation> explain_every_key();

// JSON Schema (2020-12) of heddle.toml, jobs.toml and config.toml: docs/heddle.schema.json.
std::string json_schema();

// Markdown: docs/roadmap.md, with the keys that have no effect yet.
std::string roadmap_page();

// Markdown: docs/configuration.md, with the keys that have.
std::string reference_page();

}  // namespace heddle::config
