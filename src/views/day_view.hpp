// JobDays holds the daily statistics of a job. Plain values.
#pragma once

#include <vector>

#include "base/result.hpp"
#include "model/job/day_figures.hpp"
#include "model/json.hpp"
#include "store/reader.hpp"

namespace heddle::views {

struct JobDays {
  std::vector<RunDay> runs;      // oldest first
  std::vector<PriceDay> prices;  // oldest first
};

// Blocks on the disk.
Result<JobDays> read_job_days(store::Reader& reader, const JobId& job,
                              const store::DayRange& range);
// Writes "days", and "price_days" when there are any, into the open object.
void write_days(JsonWriter& json, const JobDays& days);

}  // namespace heddle::views
