#include "config/key_texts.hpp"

#include <fmt/format.h>

#include "config/read/values/toml_value.hpp"

namespace heddle::config {

namespace {

bool is_written_bare(KeyType type) {
  return type == KeyType::boolean || type == KeyType::integer || type == KeyType::number ||
         type == KeyType::milliseconds;
}

bool is_list(KeyType type) {
  return type == KeyType::word_list || type == KeyType::text_list;
}

// The text after "="; empty for tables.
std::string example_value(const Key& key) {
  if (!key.example.empty()) return std::string(key.example);
  const bool has_preset =
      !key.preset.empty() && key.preset != "off" && !key.preset.starts_with('(');
  return has_preset ? preset_as_toml(key) : std::string();
}

std::string first_lines_of(const Section& section) {
  for (const Key& key : section.keys)
    if (const std::string value = example_value(key); !value.empty())
      return fmt::format("{} = {}", key.name, value);
  return {};
}

void add_locations(std::vector<KeyLocation>& out, const Section& section,
                   const std::string& prefix) {
  for (const Key& key : section.keys) {
    const std::string path = prefix + std::string(key.name);
    out.push_back({path, &key, &section});
    const bool repeats_job = key.allowed == "job";
    if (!has_section(key.type) || repeats_job) continue;
    const bool is_named = key.type == KeyType::table_map;
    add_locations(out, section_named(key.allowed), path + (is_named ? ".NAME." : "."));
  }
}

}  // namespace

std::string preset_as_toml(const Key& key) {
  if (key.preset.empty()) return {};
  if (key.preset.starts_with('(')) return std::string(key.preset.substr(1, key.preset.size() - 2));
  if (key.preset == "off" || is_written_bare(key.type)) return std::string(key.preset);
  const std::string text = in_quotes(key.preset);
  return is_list(key.type) ? "[" + text + "]" : text;
}

std::string allowed_text(const Key& key) {
  if (key.type == KeyType::word || key.type == KeyType::word_list) {
    std::string words;
    for (const std::string_view word : words_of(key)) {
      words += fmt::format("{}\"{}\"", words.empty() ? "" : ", ", word);
      if (!is_word_available(key, word)) words += " (not yet)";
    }
    return words;
  }
  if (has_section(key.type) || key.allowed.empty()) return {};
  const KeyRange range = range_of(key);
  if (range.most.empty()) return fmt::format("{} or more", range.least);
  return fmt::format("{} to {}", range.least, range.most);
}

std::string example_of(const Key& key, const std::string& path) {
  const std::string inner = has_section(key.type) ? first_lines_of(section_named(key.allowed)) : "";
  const std::size_t dot = path.rfind('.');
  const std::string value = example_value(key);
  if (value.empty() && key.type == KeyType::table_list)
    return fmt::format("[[{}]]\n{}", path, inner);
  if (value.empty() && key.type == KeyType::table_map)
    return fmt::format("[{}.NAME]\n{}", path, inner);
  if (value.empty()) return fmt::format("[{}]\n{}", path, inner);
  if (dot == std::string::npos) return fmt::format("{} = {}", key.name, value);
  return fmt::format("[{}]\n{} = {}", path.substr(0, dot), key.name, value);
}

std::vector<KeyLocation> all_key_locations() {
  std::vector<KeyLocation> out;
  add_locations(out, section_named("job"), "");
  add_locations(out, section_named("project"), "");
  return out;
}

}  // namespace heddle::config
