// Limits the concurrency and the rate of requests per host (politeness). A caller enters the gate
// before a fetch and holds the grant until the response has arrived.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "base/async.hpp"
#include "base/time.hpp"
#include "model/web/url.hpp"

namespace heddle::net {

// Requests to these ports of a host count together: the name alone for 80 and 443, otherwise
// "name:port".
inline std::string gate_key(const Url& url) {
  const bool is_standard = url.port() == 80 || url.port() == 443;
  std::string key(url.host());
  return is_standard ? key : key + ":" + std::to_string(url.port());
}

// Permits one request to one host; released when destroyed.
class [[nodiscard]] HostGrant {
 public:
  HostGrant() = default;
  explicit HostGrant(std::function<void()> release) : release_(std::move(release)) {}
  HostGrant(HostGrant&& other) noexcept : release_(std::exchange(other.release_, nullptr)) {}
  HostGrant& operator=(HostGrant&& other) noexcept {
    HostGrant old(std::move(*this));
    release_ = std::exchange(other.release_, nullptr);
    return *this;
  }
  ~HostGrant() {
    if (release_) release_();
  }

 private:
  std::function<void()> release_;
};

// Hosts are named by gate_key().
class HostGate {
 public:
  virtual ~HostGate() = default;

  // Waits for a grant, first come first served. Cancelling or destroying the coroutine leaves the
  // queue. The gate must outlive its grants.
  virtual Async<HostGrant> enter(std::string host) = 0;

  // Grants no request to this host before `until` (429, 503, Retry-After).
  virtual void slow_down(std::string_view host, Deadline until) = 0;

  // Starts requests to this host at least this far apart (Crawl-delay), whatever the limits say.
  // Expires unless it is repeated.
  virtual void keep_apart(std::string_view host, std::chrono::milliseconds delay) = 0;
};

}  // namespace heddle::net
