// Politeness: how many requests may go to one host at a time and how fast they may follow.
// Whoever fetches enters the gate first and holds the grant until the answer is there.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "base/async.hpp"
#include "base/time.hpp"

namespace heddle::net {

// The right to one request to one host; given back when destroyed.
class [[nodiscard]] HostGrant {
 public:
  HostGrant() = default;
  explicit HostGrant(std::function<void()> give_back) : give_back_(std::move(give_back)) {}
  HostGrant(HostGrant&& other) noexcept : give_back_(std::exchange(other.give_back_, nullptr)) {}
  HostGrant& operator=(HostGrant&& other) noexcept {
    HostGrant old(std::move(*this));
    give_back_ = std::exchange(other.give_back_, nullptr);
    return *this;
  }
  ~HostGrant() {
    if (give_back_) give_back_();
  }

 private:
  std::function<void()> give_back_;
};

class HostGate {
 public:
  virtual ~HostGate() = default;

  // Waits for its turn, first come first served. Cancelling or destroying the coroutine gives the
  // place in the queue up. The gate must outlive its grants.
  virtual Async<HostGrant> enter(std::string host) = 0;

  // Nobody enters this host before `until` (429, 503, Retry-After).
  virtual void slow_down(std::string_view host, Deadline until) = 0;

  // From now on requests to this host start at least this far apart (Crawl-delay), whatever the
  // limits say. Forgotten when it was not said again for a while.
  virtual void keep_apart(std::string_view host, std::chrono::milliseconds delay) = 0;
};

}  // namespace heddle::net
