// Reads a single value in the type of its key. Pure.
#pragma once

#include "base/result.hpp"
#include "config/key_table.hpp"
#include "config/read/values/toml_value.hpp"
#include "config/settings.hpp"

namespace heddle::config {

// True for types that read_scalar() supports.
bool is_scalar(KeyType type);

// Returns the typed value after checking its range; monostate for "off". Does not check zones.
Result<Typed> read_scalar(const Key& key, const TomlValue& value);

// The default of a key, parsed like a written value; monostate when there is none.
Typed preset_of(const Key& key);

// "found "x", expected …", with a suggestion where a similar word exists.
std::string mismatch(const Key& key, const TomlValue& value);

}  // namespace heddle::config
