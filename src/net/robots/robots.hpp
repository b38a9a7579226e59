// Parses robots.txt and matches paths against it (RFC 9309). Pure. Thread-safe (const).
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::net {

inline constexpr std::size_t kMaxRobotsBytes = 512'000;  // the rest is ignored
inline constexpr std::string_view kRobotsProduct = "heddle";

class RobotsRules {
 public:
  // The rules of all groups that name the product, or else of the groups for "*".
  static RobotsRules parse(std::string_view text, std::string_view product = kRobotsProduct);
  static RobotsRules allow_all() { return {}; }
  static RobotsRules disallow_all();

  // The rule with the longest pattern decides, Allow when two are equally long.
  [[nodiscard]] bool allows(std::string_view path_and_query) const;
  [[nodiscard]] std::optional<std::chrono::milliseconds> crawl_delay() const {
    return crawl_delay_;
  }
  [[nodiscard]] const std::vector<std::string>& sitemaps() const { return sitemaps_; }

 private:
  friend class RobotsParser;
  struct Rule {
    std::string pattern;  // percent-encoding normalised; "*" and a last "$" are special
    bool allow = false;
  };

  std::vector<Rule> rules_;  // most specific first
  std::optional<std::chrono::milliseconds> crawl_delay_;
  std::vector<std::string> sitemaps_;
};

}  // namespace heddle::net
