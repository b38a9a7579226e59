// "--since" as people write it: a point in time or how long ago.
#pragma once

#include <optional>
#include <string_view>

#include "base/time.hpp"

namespace heddle::cli {

// "2026-11-01", "2026-11-01T08:00Z", "7d", "1h30m"; nullopt when it is neither.
std::optional<WallTime> parse_since(std::string_view text, WallTime now);

}  // namespace heddle::cli
