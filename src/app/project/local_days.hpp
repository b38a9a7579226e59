// Maps times to days of a time zone.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/log/log.hpp"
#include "base/time.hpp"
#include "config/environment.hpp"

namespace heddle::app {

// Returns a function that maps a time to its local day, counted from 1970; it is thread-safe. Logs
// a warning and uses UTC when the zone cannot be read.
std::function<std::int64_t(WallTime)> local_days(const std::string& timezone,
                                                 const config::Environment& environment, Log& log);

}  // namespace heddle::app
