// Lets a fetch follow only redirects that the robots.txt of each hop allows. One per fetch; the
// cache must outlive it.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "net/redirect_policy.hpp"
#include "net/robots/robots_cache.hpp"

namespace heddle::net {

class RobotsRedirectPolicy final : public RedirectPolicy {
 public:
  // Whether robots.txt applies to this hop: a job may obey it on some hosts only.
  using Obeys = std::function<bool(const Url& next)>;

  // `options` and `proxy` as the page itself is fetched.
  RobotsRedirectPolicy(RobotsCache& cache, FetchOptions options, std::string proxy, Obeys obeys)
      : cache_(cache), options_(options), proxy_(std::move(proxy)), obeys_(std::move(obeys)) {}

  Async<std::optional<std::string>> refuse(const Url& next) override;

 private:
  RobotsCache& cache_;
  FetchOptions options_;
  std::string proxy_;
  Obeys obeys_;
};

}  // namespace heddle::net
