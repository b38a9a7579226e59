// Decides whether a redirect may be followed, besides the address guard.
#pragma once

#include <optional>
#include <string>

#include "base/async.hpp"
#include "model/web/url.hpp"

namespace heddle::net {

class RedirectPolicy {
 public:
  virtual ~RedirectPolicy() = default;

  // Called before each hop after the first. Returns the reason for a refusal; nullopt: permitted.
  virtual Async<std::optional<std::string>> refuse(const Url& next) = 0;
};

}  // namespace heddle::net
