// Writes runs, their sums per day, their processes and hooks, and the stages of their pages as
// JSON.
#pragma once

#include <optional>
#include <vector>

#include "base/result.hpp"
#include "model/job/day_figures.hpp"
#include "model/json.hpp"
#include "model/run/program_run.hpp"
#include "model/run/run.hpp"
#include "model/run/trace.hpp"
#include "store/reader.hpp"

namespace heddle::views {

void write_run(JsonWriter& json, const Run& run);
// Writes the fields only, into the open object.
void write_run_fields(JsonWriter& json, const Run& run);

void write_run_day(JsonWriter& json, const RunDay& day);

// Writes the processes and hooks of a run that is in `state`.
void write_programs(JsonWriter& json, const ProgramHistory& history, RunState state);

// A run with its processes and its hooks. Plain values.
struct RunTrace {
  Run run;
  ProgramHistory programs;
};

// Returns nullopt when there is no such run. Blocks on the disk.
Result<std::optional<RunTrace>> read_run_trace(store::Reader& reader, const RunId& id);
// Writes the trace with the stages of its pages: the part before them, each page, the end. Memory
// does not grow with their number when the caller takes the parts.
void begin_run_trace(JsonWriter& json, const RunTrace& trace);
void write_traced_page(JsonWriter& json, const store::TaskTrace& page);
void end_run_trace(JsonWriter& json);

// Writes "stages" into the open object.
void write_stages(JsonWriter& json, const CycleTrace& trace);

}  // namespace heddle::views
