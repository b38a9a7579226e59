#include "model/run/key_matches.hpp"

#include <algorithm>
#include <map>

#include "base/text.hpp"

namespace heddle {

namespace {

// Stored as a line for each key, "+fields.name" for one that has matched, "-fields.name" for one
// that has not.
using KeyMatches = std::map<std::string, bool, std::less<>>;

void add_remembered(std::string_view text, KeyMatches& matches) {
  for (const std::string_view line : split(text, '\n'))
    if (line.size() > 1) matches[std::string(line.substr(1))] |= line.front() == '+';
}

}  // namespace

std::string merge_key_matches(const std::string* before, const std::vector<KeyMatch>& now) {
  if (before != nullptr && before->empty()) return {};
  KeyMatches matches;
  if (before != nullptr) add_remembered(*before, matches);
  for (const KeyMatch& each : now)
    if (each.key.find('\n') == std::string::npos) matches[each.key] |= each.has_matched;
  if (std::ranges::all_of(matches, [](const auto& each) { return each.second; })) return {};
  std::string text;
  for (const auto& [key, has_matched] : matches) {
    if (!text.empty()) text += '\n';
    text += (has_matched ? '+' : '-') + key;
  }
  return text;
}

bool has_matched_field(const std::string* remembered) {
  if (remembered == nullptr) return false;
  if (remembered->empty()) return true;
  KeyMatches matches;
  add_remembered(*remembered, matches);
  return std::ranges::any_of(
      matches, [](const auto& each) { return each.second && each.first.starts_with(kFieldKeys); });
}

std::vector<std::string> never_matched(const std::vector<std::string>& pages) {
  KeyMatches matches;
  for (const std::string& page : pages) {
    if (page.empty()) return {};
    add_remembered(page, matches);
  }
  std::vector<std::string> keys;
  for (const auto& [key, has_matched] : matches)
    if (!has_matched) keys.push_back(key);
  return keys;
}

}  // namespace heddle
