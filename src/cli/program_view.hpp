// The processes and hooks of a run, for people and for programs.
#pragma once

#include "cli/context.hpp"
#include "model/json.hpp"
#include "model/program_run.hpp"
#include "model/run.hpp"

namespace heddle::cli {

// Nothing for a run without programs.
void print_programs(Context& context, const ProgramHistory& history, RunState state);

// As the next value.
void write_programs(JsonWriter& json, const ProgramHistory& history, RunState state);

}  // namespace heddle::cli
