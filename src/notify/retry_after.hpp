// Reads the Retry-After header. Pure.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "base/time.hpp"

namespace heddle::notify {

// Seconds ("120") or an HTTP date; a date of the past is zero. nullopt: neither.
std::optional<std::chrono::seconds> read_retry_after(std::string_view text, WallTime now);

}  // namespace heddle::notify
