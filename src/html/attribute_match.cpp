#include "html/attribute_match.hpp"

#include <algorithm>
#include <cstring>

#include "base/text.hpp"

namespace heddle::html {

namespace {

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

bool same(std::string_view a, std::string_view b, bool ignores_case) {
  return ignores_case ? equals_ignoring_case(a, b) : a == b;
}

bool has_part_ignoring_case(std::string_view text, std::string_view part) {
  for (std::size_t at = 0; at + part.size() <= text.size(); ++at)
    if (equals_ignoring_case(text.substr(at, part.size()), part)) return true;
  return false;
}

constexpr std::size_t kShortText = 128;  // lists of classes: memmem costs more than it saves

// Unlike string_view::find, memmem does not compare all of a long part at every position.
std::size_t find_part(std::string_view text, std::string_view part) {
  if (part.empty()) return 0;
  if (text.size() <= kShortText) return text.find(part);
  const void* found = memmem(text.data(), text.size(), part.data(), part.size());
  if (found == nullptr) return std::string_view::npos;
  return static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

bool has_word(std::string_view text, std::string_view word, bool ignores_case) {
  if (word.empty()) return false;
  std::size_t start = 0;
  while (start < text.size()) {
    std::size_t end = start;
    while (end < text.size() && !is_space(text[end])) ++end;
    if (same(text.substr(start, end - start), word, ignores_case)) return true;
    start = end + 1;
  }
  return false;
}

}  // namespace

bool attribute_matches(const SelectorTest& test, std::string_view value) {
  const std::string_view wanted = test.value;
  const bool fits = wanted.size() <= value.size();
  switch (test.match) {
    case AttributeMatch::exists:
      return true;
    case AttributeMatch::equals:
      return same(value, wanted, test.ignores_case);
    case AttributeMatch::has_word:
      return has_word(value, wanted, test.ignores_case);
    case AttributeMatch::has_language:
      return fits && same(value.substr(0, wanted.size()), wanted, test.ignores_case) &&
             (value.size() == wanted.size() || value[wanted.size()] == '-');
    case AttributeMatch::starts_with:
      return fits && !wanted.empty() &&
             same(value.substr(0, wanted.size()), wanted, test.ignores_case);
    case AttributeMatch::ends_with:
      return fits && !wanted.empty() &&
             same(value.substr(value.size() - wanted.size()), wanted, test.ignores_case);
    case AttributeMatch::has_part:
      if (wanted.empty()) return false;
      return test.ignores_case ? has_part_ignoring_case(value, wanted) : has_part(value, wanted);
  }
  return false;
}

std::size_t bytes_compared(const SelectorTest& test, std::string_view value) {
  switch (test.match) {
    case AttributeMatch::exists:
      return 0;
    case AttributeMatch::has_word:
      return value.size();
    case AttributeMatch::has_part:
      return test.ignores_case ? value.size() * std::max<std::size_t>(test.value.size(), 1)
                               : value.size();
    case AttributeMatch::equals:
    case AttributeMatch::has_language:
    case AttributeMatch::starts_with:
    case AttributeMatch::ends_with:
      break;
  }
  return std::min(value.size(), test.value.size());
}

bool has_part(std::string_view text, std::string_view part) {
  return find_part(text, part) != std::string_view::npos;
}

bool has_class(std::string_view class_names, std::string_view wanted) {
  std::size_t start = 0;
  while (start < class_names.size()) {
    const std::size_t found = find_part(class_names.substr(start), wanted);
    if (found == std::string_view::npos) return false;
    const std::size_t at = start + found;
    const std::size_t end = at + wanted.size();
    const bool starts = at == 0 || is_space(class_names[at - 1]);
    const bool ends = end == class_names.size() || is_space(class_names[end]);
    if (starts && ends) return true;
    start = end;  // a class name contains no space, so none begins inside this match
  }
  return false;
}

}  // namespace heddle::html
