// Which day it is in a time zone.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/log.hpp"
#include "base/time.hpp"
#include "config/environment.hpp"

namespace heddle::app {

// Days of local time, counted from 1970; the function may be called from any thread. A zone that
// cannot be read is said, and taken for UTC.
std::function<std::int64_t(WallTime)> local_days(const std::string& timezone,
                                                 const config::Environment& environment, Log& log);

}  // namespace heddle::app
