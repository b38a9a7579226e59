// Lets a fetch follow only redirects that the robots.txt of each hop allows.
// Made for one fetch, lives as long as it; the cache outlives it.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "net/redirect_judge.hpp"
#include "net/robots_cache.hpp"

namespace heddle::net {

class RobotsJudge final : public RedirectJudge {
 public:
  // Whether robots.txt counts for this hop: a job may obey on some hosts only.
  using Obeys = std::function<bool(const Url& next)>;

  // `options` and `proxy` as the page itself is fetched.
  RobotsJudge(RobotsCache& cache, FetchOptions options, std::string proxy, Obeys obeys)
      : cache_(cache), options_(options), proxy_(std::move(proxy)), obeys_(std::move(obeys)) {}

  Async<std::optional<std::string>> refuse(const Url& next) override;

 private:
  RobotsCache& cache_;
  FetchOptions options_;
  std::string proxy_;
  Obeys obeys_;
};

}  // namespace heddle::net
