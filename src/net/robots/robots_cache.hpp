// Caches the robots.txt of each origin for a day. Runs on the event loop of its Client; not
// thread-safe.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "base/async.hpp"
#include "base/time.hpp"
#include "model/web/url.hpp"
#include "net/client.hpp"
#include "net/hosts/host_gate.hpp"
#include "net/robots/robots.hpp"

namespace heddle::net {

enum class RobotsVerdict {
  allowed,
  disallowed,
  unreachable,  // robots.txt cannot be fetched now: retry later
};

struct RobotsAnswer {
  RobotsVerdict verdict = RobotsVerdict::allowed;
  std::optional<std::chrono::milliseconds> crawl_delay{};
  std::string reason{};  // for people, when not allowed
};

inline constexpr std::chrono::seconds kLongestCrawlDelay{60};

class RobotsCache {
 public:
  // Client, clock and gate outlive the cache. With a gate, the download of robots.txt enters it
  // too: call check() before entering the gate for the page.
  RobotsCache(Client& client, const Clock& clock, HostGate* gate = nullptr);
  ~RobotsCache();
  RobotsCache(const RobotsCache&) = delete;
  RobotsCache& operator=(const RobotsCache&) = delete;

  // Whether the page may be fetched. robots.txt is fetched like the page (guard, proxy); concurrent
  // calls share one download. Sets the site's Crawl-delay, at most kLongestCrawlDelay, at the gate.
  Async<RobotsAnswer> check(Url page, FetchOptions options, std::string proxy);

  // The same for a caller that already holds a grant: does not enter the gate, because two callers
  // that hold each other's host would deadlock.
  Async<RobotsAnswer> check_inside_gate(Url page, FetchOptions options, std::string proxy);

  [[nodiscard]] std::size_t remembered_origins() const;

 private:
  class Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace heddle::net
