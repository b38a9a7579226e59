// Prints the processes and hooks of a run as tables and as JSON.
#pragma once

#include "cli/command_context.hpp"
#include "model/json.hpp"
#include "model/run/program_run.hpp"
#include "model/run/run.hpp"

namespace heddle::cli {

// Prints nothing for a run without programs.
void print_programs(CommandContext& context, const ProgramHistory& history, RunState state);

// Writes one JSON value.
void write_programs(JsonWriter& json, const ProgramHistory& history, RunState state);

}  // namespace heddle::cli
