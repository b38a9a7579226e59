// Which of a job's proxies the next request takes. One per job; not thread-safe.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/job.hpp"

namespace heddle::net {

class ProxyPicker {
 public:
  // Refuses URLs that are no proxy. A rule that is switched off picks none.
  static Result<ProxyPicker> make(const ProxyRule& rule, std::uint64_t seed);

  // The proxy for one request, as FetchRequest::proxy wants it; empty: go direct.
  std::string pick();

  // The proxy did not do its work (FetchErrorKind::proxy, or a connection that failed through it):
  // a sticky job moves on, a random one does not draw it next. Takes what pick() gave.
  void report_failure(std::string_view proxy);

 private:
  ProxyPicker(ProxyRotation rotation, std::vector<std::string> urls, std::uint64_t seed)
      : rotation_(rotation), urls_(std::move(urls)), random_(seed) {}

  ProxyRotation rotation_;
  std::vector<std::string> urls_;
  std::size_t next_ = 0;
  std::string avoided_;  // failed last
  std::mt19937_64 random_;
};

}  // namespace heddle::net
