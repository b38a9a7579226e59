// Writes what changed about items as JSON. Pure.
#pragma once

#include <string>

#include "model/json.hpp"
#include "model/run/change.hpp"

namespace heddle::views {

void write_change(JsonWriter& json, const Change& change);

// "changed", "gone", "back".
std::string change_word(ChangeKind kind);

}  // namespace heddle::views
