// Writes what changed about items and pages as JSON. Pure.
#pragma once

#include <string>

#include "model/json.hpp"
#include "model/run/change.hpp"

namespace heddle::views {

void write_change(JsonWriter& json, const Change& change);

// "changed", "gone", "back", "text added".
std::string change_word(ChangeKind kind);

}  // namespace heddle::views
