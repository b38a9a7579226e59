// Writes the processes and hooks of a run as JSON. Pure.
#pragma once

#include "model/json.hpp"
#include "model/run/program_run.hpp"

namespace heddle::views {

// `state`: of the run.
void write_programs(JsonWriter& json, const ProgramHistory& history, RunState state);

}  // namespace heddle::views
