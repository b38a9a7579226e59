// Who may object to where a redirect leads, beside the guard.
#pragma once

#include <optional>
#include <string>

#include "base/async.hpp"
#include "model/url.hpp"

namespace heddle::net {

class RedirectJudge {
 public:
  virtual ~RedirectJudge() = default;

  // Asked before each hop after the first: the reason not to go there, nullopt to go on.
  virtual Async<std::optional<std::string>> refuse(const Url& next) = 0;
};

}  // namespace heddle::net
