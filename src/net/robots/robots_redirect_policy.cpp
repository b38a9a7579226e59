#include "net/robots/robots_redirect_policy.hpp"

namespace heddle::net {

// The caller holds a grant for the first host while redirects are followed.
Async<std::optional<std::string>> RobotsRedirectPolicy::refuse(const Url& next) {
  if (!obeys_(next)) co_return std::nullopt;
  auto answer = co_await cache_.check_inside_gate(next, options_, proxy_);
  if (answer.verdict == RobotsVerdict::allowed) co_return std::nullopt;
  co_return std::move(answer.reason);
}

}  // namespace heddle::net
