// What a job did day by day: the figures that are left of old runs and prices, together with those
// that are still kept one by one. Same thread as its connection.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.hpp"
#include "model/day_figures.hpp"
#include "store/reader.hpp"
#include "store/sqlite/statement.hpp"

namespace heddle::store {

// Within one read transaction: a run is never counted on both sides, nor on neither.
class DayRows {
 public:
  explicit DayRows(Connection& db);

  // See Reader; `job` is its number.
  Result<std::vector<RunDay>> runs(std::int64_t job, const DayRange& range);
  Result<std::vector<PriceDay>> prices(std::int64_t job, const DayRange& range);

 private:
  Statement old_runs_;
  Statement kept_runs_;
  Statement old_prices_;
  Statement kept_prices_;
};

}  // namespace heddle::store
