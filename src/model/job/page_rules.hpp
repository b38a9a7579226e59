// What a job expects of its pages, which changes of them count, and which further pages it finds.
// Plain values.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/run/significance.hpp"

namespace heddle {

struct StatusRange {
  int first = 200;
  int last = 299;
  bool operator==(const StatusRange&) const = default;
};

// Broken `status`, `contains`, `not_contains` and `min_items` fail the page; the others warn.
struct ExpectRule {
  std::vector<StatusRange> status;  // empty: 200 to 299
  std::vector<std::string> contains;
  std::vector<std::string> not_contains;  // must_not_contain adds to it
  std::optional<std::chrono::milliseconds> max_time;
  std::optional<int> tls_days;  // the certificate is valid for at least this long
  std::optional<std::int64_t> min_items;

  [[nodiscard]] bool accepts(int http_status) const;
};

// Which changes of a page count.
struct ChangeRule {
  std::vector<std::string> ignore;        // CSS: parts of the page that are left out
  std::vector<std::string> ignore_text;   // regular expressions
  std::vector<std::string> trigger;       // CSS: only changes in these parts count; empty: all
  std::vector<std::string> trigger_text;  // only changes that match count; empty: all
  Significance min_significance = Significance::low;
  int confirm = 0;  // further fetches that must show the same change
};

enum class FollowKind { pagination, items, sitemap, links };

// Finds further pages from those that are fetched.
struct DiscoverRule {
  bool is_enabled = false;  // there is a [discover] table
  std::vector<FollowKind> follow{FollowKind::pagination};
  bool same_host = true;
  std::vector<std::string> include;  // globs; empty: all
  std::vector<std::string> exclude;
  std::optional<int> depth;               // nullopt: limits.depth
  std::optional<std::int64_t> max_pages;  // nullopt: limits.pages_per_run
};

}  // namespace heddle
