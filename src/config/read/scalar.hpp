// Reads single values by the type their key asks for. Pure.
#pragma once

#include "base/result.hpp"
#include "config/key_table.hpp"
#include "config/read/value.hpp"
#include "config/settings.hpp"

namespace heddle::config {

// True for types read_scalar knows.
bool is_scalar(KeyType type);

// The value in its type, in range; monostate for "off". Zones are taken as they are.
Result<Typed> read_scalar(const Key& key, const Value& value);

// A preset of the table as if it had been written; monostate when there is none.
Typed preset_of(const Key& key);

// "found "x", expected …", with a suggestion where there is a near word.
std::string mismatch(const Key& key, const Value& value);

}  // namespace heddle::config
