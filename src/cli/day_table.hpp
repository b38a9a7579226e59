// Prints the daily statistics of a job as tables and as JSON.
#pragma once

#include <vector>

#include "cli/command_context.hpp"
#include "model/job/day_figures.hpp"
#include "model/json.hpp"

namespace heddle::cli {

struct JobDays {
  std::vector<RunDay> runs;      // oldest first
  std::vector<PriceDay> prices;  // oldest first
};

// The last thirty days, today included.
Result<JobDays> job_days(CommandContext& context, const JobId& job);

void print_days(CommandContext& context, const JobDays& days);
// Writes fields into the open object.
void write_days(JsonWriter& json, const JobDays& days);

}  // namespace heddle::cli
