// What a job did day by day, as people and programs see it.
#pragma once

#include <vector>

#include "cli/context.hpp"
#include "model/day_figures.hpp"
#include "model/json.hpp"

namespace heddle::cli {

struct JobDays {
  std::vector<RunDay> runs;      // oldest first
  std::vector<PriceDay> prices;  // oldest first
};

// The last thirty days, today included.
Result<JobDays> job_days(Context& context, const JobId& job);

void print_days(Context& context, const JobDays& days);
// Fields of the object that is being written.
void write_days(JsonWriter& json, const JobDays& days);

}  // namespace heddle::cli
