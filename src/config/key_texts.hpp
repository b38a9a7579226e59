// The key table in words: what explain, show, the schema and the reference page have in common.
#pragma once

#include <string>
#include <vector>

#include "config/key_table.hpp"

namespace heddle::config {

// `"30s"`, `4`, `["item.*"]`; prose and "off" as they stand; empty when there is none.
std::string preset_as_toml(const Key& key);

// `1 to 1000`, `"web", "command"`; empty when the type says it all.
std::string allowed_text(const Key& key);

// Lines one could write for the key at this path, with its table where it needs one.
std::string example_of(const Key& key, const std::string& path);

struct KeyPlace {
  std::string path;  // "retry.max", "hosts.NAME.delay"
  const Key* key = nullptr;
  const Section* section = nullptr;
};

// Every key once under its path, jobs first; [defaults] and [groups] repeat those of a job.
std::vector<KeyPlace> all_key_places();

}  // namespace heddle::config
