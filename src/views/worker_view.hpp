// Writes worker slots as JSON. Pure.
#pragma once

#include "control/verbs.hpp"
#include "model/json.hpp"

namespace heddle::views {

void write_worker(JsonWriter& json, const control::WorkerStatus& worker);

}  // namespace heddle::views
