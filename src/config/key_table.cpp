#include "config/key_table.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "base/text.hpp"
#include "config/key_rows.hpp"

namespace heddle::config {

namespace {

constexpr std::array<std::pair<KeyType, std::string_view>, 33> kDescriptions{{
    {KeyType::boolean, "true or false"},
    {KeyType::integer, "a whole number"},
    {KeyType::number, "a number"},
    {KeyType::text, "a text"},
    {KeyType::word, "one of a few words"},
    {KeyType::duration,
     "a duration: seconds as a number, or \"250ms\", \"90s\", \"1h30m\", \"7d\""},
    {KeyType::milliseconds, "milliseconds as a number, or a duration such as \"5s\""},
    {KeyType::size, "a size: bytes as a number, or \"10MB\" (10^6), \"16MiB\" (2^20)"},
    {KeyType::share, "a size such as \"20GB\", or a share of the disk such as \"10%\""},
    {KeyType::url, "an absolute http or https URL"},
    {KeyType::css, "a CSS selector"},
    {KeyType::selector, "a CSS selector, XPath expression (\"/…\", \"./…\") or JSONPath (\"$…\")"},
    {KeyType::zone, "a time zone such as \"Europe/Berlin\""},
    {KeyType::file, "a path"},
    {KeyType::token, "an HTTP method such as \"GET\""},
    {KeyType::listen, "an address and port such as \"127.0.0.1:7979\""},
    {KeyType::time_of_day, "a time such as \"08:00\""},
    {KeyType::time_span, "a span of hours such as \"22:00-07:00\""},
    {KeyType::text_list, "a list of texts"},
    {KeyType::text_or_list, "a text or a list of texts"},
    {KeyType::word_list, "a list of words"},
    {KeyType::url_list, "a list of absolute http or https URLs"},
    {KeyType::proxy_list, "a list of http, https or socks5 URLs"},
    {KeyType::css_list, "a list of CSS selectors"},
    {KeyType::regex_list, "a list of regular expressions"},
    {KeyType::network_list, "a list of CIDR ranges, addresses or hosts"},
    {KeyType::text_map, "a table of texts"},
    {KeyType::header_map, "a table of header names and values"},
    {KeyType::field_list,
     "a list of fields: \"name:css\", \"name:css@attribute\", \"name:./xpath\", "
     "\"name:$.json.path\" or a table"},
    {KeyType::table, "a table"},
    {KeyType::table_list, "a list of tables"},
    {KeyType::table_map, "named tables"},
    {KeyType::names_or_tables, "a list of names, or of tables"},
}};

std::string_view without_mark(std::string_view word) {
  if (word.starts_with('~')) word.remove_prefix(1);
  return word;
}

std::vector<Section> collect_sections() {
  std::vector<Section> all;
  const auto project = project_sections();
  const auto job = job_sections();
  all.insert(all.end(), project.begin(), project.begin() + 2);  // the roots first
  all.insert(all.end(), job.begin(), job.end());
  all.insert(all.end(), project.begin() + 2, project.end());
  return all;
}

}  // namespace

std::span<const Section> all_sections() {
  static const std::vector<Section> sections = collect_sections();
  return sections;
}

const Section& section_named(std::string_view name) {
  for (const Section& section : all_sections())
    if (section.name == name) return section;
  throw std::logic_error("the key table names an unknown section: " + std::string(name));
}

const Key* find_key(const Section& section, std::string_view name) {
  for (const Key& key : section.keys)
    if (key.name == name) return &key;
  return section.also.empty() ? nullptr : find_key(section_named(section.also), name);
}

std::vector<std::string_view> key_names(const Section& section) {
  std::vector<std::string_view> names;
  for (const Key& key : section.keys) names.push_back(key.name);
  if (section.also.empty()) return names;
  for (const std::string_view name : key_names(section_named(section.also))) names.push_back(name);
  return names;
}

std::vector<std::string_view> words_of(const Key& key) {
  std::vector<std::string_view> words = split(key.allowed, '|');
  for (std::string_view& word : words) word = without_mark(word);
  return words;
}

bool is_word_available(const Key& key, std::string_view word) {
  for (const std::string_view marked : split(key.allowed, '|'))
    if (without_mark(marked) == word) return !marked.starts_with('~');
  return true;
}

KeyRange range_of(const Key& key) {
  const std::size_t dots = key.allowed.find("..");
  if (dots == std::string_view::npos) return {};
  return {key.allowed.substr(0, dots), key.allowed.substr(dots + 2)};
}

bool has_section(KeyType type) {
  switch (type) {
    case KeyType::table:
    case KeyType::table_list:
    case KeyType::table_map:
    case KeyType::names_or_tables:
    case KeyType::field_list:
      return true;
    default:
      return false;
  }
}

std::string_view describe(KeyType type) {
  const auto* const found = std::find_if(kDescriptions.begin(), kDescriptions.end(),
                                         [type](const auto& row) { return row.first == type; });
  return found == kDescriptions.end() ? "a value" : found->second;
}

}  // namespace heddle::config
