// Formats rows of the key table for explain, show, the JSON Schema and the reference page. Pure.
#pragma once

#include <string>
#include <vector>

#include "config/key_table.hpp"

namespace heddle::config {

// `"30s"`, `4`, `["item.*"]`; prose and "off" unchanged; empty when there is no default.
std::string preset_as_toml(const Key& key);

// `1 to 1000`, `"web", "command"`; empty when the type alone decides.
std::string allowed_text(const Key& key);

// Example lines for the key at this path, with its table header where one is needed.
std::string example_of(const Key& key, const std::string& path);

struct KeyLocation {
  std::string path;  // "retry.max", "hosts.NAME.delay"
  const Key* key = nullptr;
  const Section* section = nullptr;
};

// Every key once under its path, keys of jobs first; [defaults] and [groups] are left out because
// they repeat those.
std::vector<KeyLocation> all_key_locations();

}  // namespace heddle::config
