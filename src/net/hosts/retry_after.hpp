// Reads the delay that a server requests. Pure.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "base/time.hpp"
#include "model/job/job.hpp"
#include "model/web/fetch.hpp"

namespace heddle::net {

// A Retry-After value (seconds or HTTP date) as a wait from now, at most a day; nullopt when it is
// neither. A past date is a wait of zero.
std::optional<std::chrono::milliseconds> parse_retry_after(std::string_view value, WallTime now);

// How long to pause requests to a host after this response: for 429 and 503 the Retry-After value
// up to the longest wait of the job's policy, or its first wait without that header; nullopt for
// all other responses.
std::optional<std::chrono::milliseconds> asked_to_wait(const FetchResponse& answer,
                                                       const RetryPolicy& policy, WallTime now);

}  // namespace heddle::net
