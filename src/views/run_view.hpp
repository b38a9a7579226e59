// Writes runs, and their sums per day, as JSON. Pure.
#pragma once

#include "model/job/day_figures.hpp"
#include "model/json.hpp"
#include "model/run/run.hpp"

namespace heddle::views {

void write_run(JsonWriter& json, const Run& run);
// Writes the fields only, into the open object.
void write_run_fields(JsonWriter& json, const Run& run);

void write_run_day(JsonWriter& json, const RunDay& day);

}  // namespace heddle::views
