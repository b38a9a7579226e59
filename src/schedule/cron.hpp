// Parses cron expressions into sets of seconds, minutes, hours and days. Pure.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace heddle::schedule {

// Bit n stands for the value n; weekdays count from Sunday = 0.
struct CronExpression {
  std::uint64_t seconds = 1;  // only second 0 unless there are six fields
  std::uint64_t minutes = 0;
  std::uint32_t hours = 0;
  std::uint32_t days = 0;    // of the month, 1 to 31
  std::uint16_t months = 0;  // 1 to 12
  std::uint8_t weekdays = 0;
  bool last_day = false;                            // L: the last day of the month
  std::uint8_t last_weekdays = 0;                   // 5L: the last Friday of the month
  std::vector<std::pair<int, int>> nth_weekdays{};  // 5#2: the second Friday, as {5, 2}
  // "*" or "?": when both fields are restricted a day that fits either of them counts.
  bool any_day = false;
  bool any_weekday = false;
  // The field has a wildcard or a step. Such expressions follow elapsed time through clock changes.
  bool minute_varies = false;
  bool hour_varies = false;
};

// Five fields (minute hour day month weekday) or six (second first), with "*", "?", lists "1,2",
// ranges "1-5", steps "*/15" and "10-40/10", names ("Jan", "Mon-Fri"; Sunday is 0 or 7), "L", "5L"
// and "5#2"; or @yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly. Refuses days
// that never come, such as the 31st of February. Messages name the field and what it allows.
Result<CronExpression> parse_cron(std::string_view text);

}  // namespace heddle::schedule
