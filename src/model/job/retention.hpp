// Limits on the age and size of stored history. Plain values.
#pragma once

#include <chrono>
#include <cstdint>

namespace heddle {

struct KeepRule {
  std::chrono::milliseconds time{0};
  std::int64_t bytes = 0;  // the oldest are pruned first; 0: no limit
};

struct RetentionRules {
  KeepRule versions{std::chrono::days(30)};
  KeepRule runs{std::chrono::days(90)};
  KeepRule events{std::chrono::days(14)};
  KeepRule prices{std::chrono::days(365)};
  KeepRule dead_letters{std::chrono::days(30)};
  KeepRule traces{std::chrono::days(7)};
  std::chrono::milliseconds archive_after = std::chrono::days(180);
};

}  // namespace heddle
