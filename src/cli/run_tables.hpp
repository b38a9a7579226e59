// Prints runs, their days, the stages of their pages and their programs for people.
#pragma once

#include <string>
#include <vector>

#include "cli/command_context.hpp"
#include "model/job/day_figures.hpp"
#include "model/run/program_run.hpp"
#include "model/run/run.hpp"
#include "model/run/trace.hpp"

namespace heddle::cli {

// A table of runs without rows, and a row of it.
TextTable table_of_runs(CommandContext& context);
void add_run(CommandContext& context, TextTable& table, const Run& run);

// The resource usage of a run, "1.2s of CPU time in worker 0"; empty when it is unknown.
std::string usage_text(const Run& run);

// Prints a line for each stage that was active.
void print_trace(CommandContext& context, const CycleTrace& trace);

// Whether the run has not ended and no process works on it: its daemon has ended.
bool is_left(CommandContext& context, RunState state);

// Prints nothing for a run without programs.
void print_programs(CommandContext& context, const ProgramHistory& history, RunState state,
                    bool is_unfinished);

// These print nothing when there are no days.
void print_run_days(CommandContext& context, const std::vector<RunDay>& days);
void print_price_days(CommandContext& context, const std::vector<PriceDay>& days);

}  // namespace heddle::cli
