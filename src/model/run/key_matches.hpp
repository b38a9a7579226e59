// What is remembered of the keys that extract items: whether each has ever matched on a page. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle {

inline constexpr std::string_view kSelectorKey = "selector";
inline constexpr std::string_view kFieldKeys = "fields.";

struct KeyMatch {
  std::string key;  // "selector", or "fields." and the name of a field
  bool has_matched = false;
};

// The text to remember: empty when every key has matched. `before`: what was remembered with the
// same rules; nullptr: nothing.
std::string merge_key_matches(const std::string* before, const std::vector<KeyMatch>& now);

// Whether any field has matched.
bool has_matched_field(const std::string* remembered);

// The keys that matched on none of the pages.
std::vector<std::string> never_matched(const std::vector<std::string>& pages);

}  // namespace heddle
