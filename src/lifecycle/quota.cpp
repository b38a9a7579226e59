#include "lifecycle/quota.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace heddle::lifecycle {

bool has_quota(const JobLimits& limits) {
  return limits.runs_per_day || limits.pages_per_day;
}

DayQuota quota_after(const JobLimits& limits, const store::JobUsage& today,
                     const schedule::LocalDay& day) {
  DayQuota quota;
  quota.day = day;
  if (limits.pages_per_day) {
    quota.pages_left = std::max<std::int64_t>(*limits.pages_per_day - today.pages, 0);
    if (*quota.pages_left == 0)
      quota.used_up = fmt::format("limits.pages_per_day = {}", *limits.pages_per_day);
  }
  if (limits.runs_per_day && today.runs >= *limits.runs_per_day)
    quota.used_up = fmt::format("limits.runs_per_day = {}", *limits.runs_per_day);
  return quota;
}

}  // namespace heddle::lifecycle
