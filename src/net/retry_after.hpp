// Reads how long a server asks us to stay away. Pure.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "base/time.hpp"
#include "model/fetch.hpp"
#include "model/job.hpp"

namespace heddle::net {

// A Retry-After value (seconds or HTTP date) as a wait from now, at most a day; nullopt when it is
// neither. A date that has passed is no wait.
std::optional<std::chrono::milliseconds> parse_retry_after(std::string_view value, WallTime now);

// How long to leave a host alone after this answer: for 429 and 503 what Retry-After says, up to
// the longest wait of the job's policy, or its first one without that; nullopt for all other
// answers.
std::optional<std::chrono::milliseconds> asked_to_wait(const FetchResponse& answer,
                                                       const RetryPolicy& policy, WallTime now);

}  // namespace heddle::net
