// Picks the proxy for the next request of a job. One per job; not thread-safe.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/job/job.hpp"

namespace heddle::net {

class ProxyPicker {
 public:
  // Refuses invalid proxy URLs. A disabled rule picks none.
  static Result<ProxyPicker> make(const ProxyRule& rule, std::uint64_t seed);

  // The proxy for one request, as FetchRequest::proxy wants it; empty: go direct.
  std::string pick();

  // Reports a failed proxy (FetchErrorKind::proxy, or a failed connection through it) as returned
  // by pick(): a sticky job moves to the next, a random one does not draw it next.
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
