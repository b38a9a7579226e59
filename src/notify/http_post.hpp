// How notify reaches the network: an interface, so that channels are tested without one. The
// program fills it with net::Client and the rules for deliveries (allow_delivery).
#pragma once

#include <variant>

#include "base/async.hpp"
#include "model/fetch.hpp"

namespace heddle::notify {

using PostOutcome = std::variant<FetchResponse, FetchError>;

class HttpPoster {
 public:
  virtual ~HttpPoster() = default;
  // Sends the request as it is. A status outside 2xx may come as a response or as a FetchError with
  // its response.
  virtual Async<PostOutcome> post(FetchRequest request) = 0;
};

}  // namespace heddle::notify
