// Turns what went wrong in a transfer into a FetchError that says what to do about it.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "model/fetch.hpp"
#include "net/transfer.hpp"

namespace heddle::net {

FetchError refused(std::string_view url, std::string_view reason);
FetchError timed_out(const Transfer& transfer, std::chrono::milliseconds timeout);
FetchError failed(const Transfer& transfer);
// A status outside 2xx; keeps the response.
FetchError http_error(FetchResponse response);

// Whether another try may help: 429 and 5xx.
bool is_transient_status(int status);

}  // namespace heddle::net
