#include "net/proxy_rotation.hpp"

#include "net/proxy_url.hpp"

namespace heddle::net {

Result<ProxyPicker> ProxyPicker::make(const ProxyRule& rule, std::uint64_t seed) {
  std::vector<std::string> urls;
  if (rule.enabled) urls = rule.urls;
  for (const std::string& url : urls)
    if (auto proxy = ProxyUrl::parse(url); !proxy) return std::move(proxy.error());
  return ProxyPicker(rule.rotate, std::move(urls), seed);
}

std::string ProxyPicker::pick() {
  if (urls_.empty()) return {};
  if (rotation_ == ProxyRotation::sticky) return urls_[next_];
  if (rotation_ == ProxyRotation::round_robin) {
    const std::size_t chosen = next_;
    next_ = (next_ + 1) % urls_.size();
    return urls_[chosen];
  }
  std::uniform_int_distribution<std::size_t> any(0, urls_.size() - 1);
  std::size_t chosen = any(random_);
  if (urls_[chosen] == avoided_) chosen = (chosen + 1) % urls_.size();
  avoided_.clear();
  return urls_[chosen];
}

void ProxyPicker::report_failure(std::string_view proxy) {
  if (rotation_ == ProxyRotation::random) avoided_ = proxy;
  // Several requests may report the same broken proxy: only the first moves on.
  if (rotation_ == ProxyRotation::sticky && !urls_.empty() && urls_[next_] == proxy)
    next_ = (next_ + 1) % urls_.size();
}

}  // namespace heddle::net
