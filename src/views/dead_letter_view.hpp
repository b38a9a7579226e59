// Writes dead letters as JSON. Pure.
#pragma once

#include "model/json.hpp"
#include "model/notify/dead_letter.hpp"

namespace heddle::views {

void write_dead_letter(JsonWriter& json, const DeadLetter& letter);

}  // namespace heddle::views
