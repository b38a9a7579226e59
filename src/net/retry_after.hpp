// Reads how long a server asks us to stay away. Pure.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "base/time.hpp"
#include "model/fetch.hpp"

namespace heddle::net {

// A Retry-After value (seconds or HTTP date) as a wait from now, at most a day; nullopt when it is
// neither. A date that has passed is no wait.
std::optional<std::chrono::milliseconds> parse_retry_after(std::string_view value, WallTime now);

// How long to leave a host alone after this answer: for 429 and 503 what Retry-After says, or ten
// seconds without it; nullopt for all other answers.
std::optional<std::chrono::milliseconds> asked_to_wait(int status, const Headers& headers,
                                                       WallTime now);

}  // namespace heddle::net
