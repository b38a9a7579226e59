// Reads [[hooks.PHASE]], the programs that run around a job, and reports problems with their line.
// Pure.
#pragma once

#include "config/environment.hpp"
#include "config/key_table.hpp"
#include "config/read/values/read_value.hpp"
#include "config/read/values/toml_value.hpp"

namespace heddle::config {

// `key` is named like its phase; the value becomes a list of HookRule.
ReadValue read_hooks(const Key& key, const TomlValue& value, const Environment& environment);

}  // namespace heddle::config
