// Sends HTTP requests for notify. An interface, so that channels are tested without a network; the
// program implements it with net::Client and the delivery rules (allow_delivery).
#pragma once

#include <variant>

#include "base/async.hpp"
#include "model/web/fetch.hpp"

namespace heddle::notify {

using PostOutcome = std::variant<FetchResponse, FetchError>;

class HttpPoster {
 public:
  virtual ~HttpPoster() = default;
  // Sends the request unchanged. A status outside 2xx may be returned as a response or as a
  // FetchError with its response.
  virtual Async<PostOutcome> post(FetchRequest request) = 0;
};

}  // namespace heddle::notify
