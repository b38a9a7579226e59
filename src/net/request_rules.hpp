// Validates requests and decides which headers are sent. Pure.
#pragma once

#include <string>

#include "base/result.hpp"
#include "model/web/fetch.hpp"

namespace heddle::net {

// Refuses methods and headers that could smuggle a second request into the first.
Status check_request(const FetchRequest& request);

struct SentHeaders {
  Headers headers;
  std::string cookie;  // separate, because the jar's cookies join it in one line
};

// The request's headers over the host's own ones; the client writes the framing headers.
SentHeaders merge_headers(const Headers& request, const Headers& of_host);

}  // namespace heddle::net
