// Reads a job's figures per day: daily sums of removed runs and prices plus those still stored.
// Same thread as its connection.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.hpp"
#include "model/job/day_figures.hpp"
#include "store/reader.hpp"
#include "store/sqlite/core/statement.hpp"

namespace heddle::store {

// Call within one read transaction, so that every run is counted exactly once.
class DayRows {
 public:
  explicit DayRows(Connection& db);

  // As in Reader; `job` is the job's number.
  Result<std::vector<RunDay>> runs(std::int64_t job, const DayRange& range);
  Result<std::vector<PriceDay>> prices(std::int64_t job, const DayRange& range);

 private:
  Statement old_runs_;
  Statement kept_runs_;
  Statement old_prices_;
  Statement kept_prices_;
};

}  // namespace heddle::store
