// Reads [[hooks.PHASE]]: programs to run around a job. Every mistake with its line. Pure.
#pragma once

#include "config/environment.hpp"
#include "config/key_table.hpp"
#include "config/read/read_value.hpp"
#include "config/read/value.hpp"

namespace heddle::config {

// `key` is named like its phase; the value becomes a list of HookRule.
ReadValue read_hooks(const Key& key, const Value& value, const Environment& environment);

}  // namespace heddle::config
