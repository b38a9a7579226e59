// Asks each origin for its robots.txt once a day and answers from memory in between.
// Lives on one loop with its Client; not thread-safe.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "base/async.hpp"
#include "base/time.hpp"
#include "model/url.hpp"
#include "net/client.hpp"
#include "net/host_gate.hpp"
#include "net/robots.hpp"

namespace heddle::net {

enum class RobotsVerdict {
  allowed,
  disallowed,
  unreachable,  // the site's answer is not to be had now: stay away and try again later
};

struct RobotsAnswer {
  RobotsVerdict verdict = RobotsVerdict::allowed;
  std::optional<std::chrono::milliseconds> crawl_delay{};
  std::string reason{};  // for people, when not allowed
};

inline constexpr std::chrono::seconds kLongestCrawlDelay{60};

class RobotsCache {
 public:
  // Client, clock and gate outlive the cache. With a gate, robots.txt waits for its turn too: ask
  // before entering the gate for the page itself.
  RobotsCache(Client& client, const Clock& clock, HostGate* gate = nullptr);
  ~RobotsCache();
  RobotsCache(const RobotsCache&) = delete;
  RobotsCache& operator=(const RobotsCache&) = delete;

  // Whether the page may be fetched. The file is fetched the way the page would be (guard, proxy);
  // several who ask at once share one download.
  // The site's Crawl-delay, at most kLongestCrawlDelay, holds at the gate from here on.
  Async<RobotsAnswer> check(Url page, FetchOptions options, std::string proxy);

  // The same for someone who holds a place at the gate already: never waits there, because two who
  // hold each other's host would wait forever.
  Async<RobotsAnswer> check_inside_gate(Url page, FetchOptions options, std::string proxy);

  [[nodiscard]] std::size_t remembered_origins() const;

 private:
  class Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace heddle::net
