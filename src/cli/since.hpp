// Parses "--since": a point in time or an age.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "base/time.hpp"

namespace heddle::cli {

// "2026-11-01", "2026-11-01T08:00Z", "7d", "1h30m"; nullopt for any other text.
std::optional<WallTime> parse_since(std::string_view text, WallTime now);

// The value of the option; nullopt when it was not given. The error is for its user.
Result<std::optional<WallTime>> since_option(const std::string& text, WallTime now);

}  // namespace heddle::cli
