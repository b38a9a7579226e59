// Computes what a job may still do in a day of its time zone: `limits.runs_per_day` and
// `limits.pages_per_day`. A run and its pages count for the day on which it began. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/job/job.hpp"
#include "schedule/local_day.hpp"
#include "store/store.hpp"

namespace heddle::lifecycle {

struct DayQuota {
  schedule::LocalDay day{};
  std::optional<std::string> used_up{};      // "limits.runs_per_day = 3"; nullopt: it may run
  std::optional<std::int64_t> pages_left{};  // nullopt: no limit
};

bool has_quota(const JobLimits& limits);

DayQuota quota_after(const JobLimits& limits, const store::JobUsage& today,
                     const schedule::LocalDay& day);

}  // namespace heddle::lifecycle
