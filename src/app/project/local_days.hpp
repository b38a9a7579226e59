// Maps times to days and clock times of a time zone.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/log/log.hpp"
#include "base/time.hpp"
#include "cli/local_times.hpp"
#include "config/environment.hpp"

namespace heddle::app {

// Returns a function that maps a time to its local day, counted from 1970; it is thread-safe. Logs
// a warning and uses UTC when the zone cannot be read.
std::function<std::int64_t(WallTime)> local_days(const std::string& timezone,
                                                 const config::Environment& environment, Log& log);

// The times of this zone for people; UTC when the zone cannot be read.
cli::LocalTimes local_times(const std::string& timezone, const config::Environment& environment);

}  // namespace heddle::app
