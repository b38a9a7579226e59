// Converts a failed transfer into a FetchError with an actionable message.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "model/web/fetch.hpp"
#include "net/transfer.hpp"

namespace heddle::net {

FetchError refused(std::string_view url, std::string_view reason);
FetchError timed_out(const Transfer& transfer, std::chrono::milliseconds timeout);
FetchError failed(const Transfer& transfer);
// The body does not have the length that the response announces; `problem` is Transfer's.
FetchError wrong_length(const Transfer& transfer, std::string_view problem);
// A status outside 2xx; keeps the response.
FetchError http_error(FetchResponse response);

// Whether a retry may help: 429 and 5xx.
bool is_transient_status(int status);

}  // namespace heddle::net
