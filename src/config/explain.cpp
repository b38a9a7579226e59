#include "config/explain.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"
#include "config/key_table.hpp"
#include "config/key_texts.hpp"

namespace heddle::config {

namespace {

constexpr std::size_t kMostSuggestions = 5;

void resolve(const Section& section, std::string_view rest, const std::string& prefix,
             std::vector<KeyLocation>& out);

// Under [hosts."a.b"] the name may have any number of parts.
void resolve_named(const Section& section, std::string_view rest, const std::string& prefix,
                   std::vector<KeyLocation>& out) {
  resolve(section, rest, prefix + ".NAME.", out);
  const std::size_t before = out.size();
  for (std::size_t dot = rest.find('.'); dot != std::string_view::npos && out.size() == before;
       dot = rest.find('.', dot + 1))
    resolve(section, rest.substr(dot + 1), prefix + "." + std::string(rest.substr(0, dot)) + ".",
            out);
}

void resolve(const Section& section, std::string_view rest, const std::string& prefix,
             std::vector<KeyLocation>& out) {
  const std::string_view name = rest.substr(0, rest.find('.'));
  const Key* key = find_key(section, name);
  if (key == nullptr) return;
  const std::string path = prefix + std::string(name);
  if (name == rest) return out.push_back({path, key, &section});
  rest.remove_prefix(name.size() + 1);
  if (key->type == KeyType::table_map)
    resolve_named(section_named(key->allowed), rest, path, out);
  else if (has_section(key->type))
    resolve(section_named(key->allowed), rest, path + ".", out);
  else if (key->type == KeyType::text_map || key->type == KeyType::header_map)
    out.push_back({path, key, &section});
}

std::vector<KeyLocation> locations_of(std::string_view key) {
  std::vector<KeyLocation> out;
  resolve(section_named("job"), key, "", out);
  const std::size_t of_jobs = out.size();
  resolve(section_named("project"), key, "", out);
  // `limits.body` is the same row in both.
  if (of_jobs == 1 && out.size() == 2 && out[0].key == out[1].key) out.pop_back();
  return out;
}

std::string line(std::string_view title, std::string_view text) {
  return text.empty() ? "" : fmt::format("  {:<11}{}\n", title, text);
}

std::string indented(const std::string& lines) {
  std::string out;
  for (const std::string_view each : split(lines, '\n'))
    out += fmt::format("{}{}", out.empty() ? "" : "\n             ", each);
  return out;
}

Explanation explanation_of(const KeyLocation& location) {
  const Key& key = *location.key;
  Explanation out;
  out.key = location.path;
  out.help = key.help;
  out.type = describe(key.type);
  out.allowed = allowed_text(key);
  out.preset = preset_as_toml(key);
  if (has_section(key.type)) out.keys_below = key_names(section_named(key.allowed));
  out.where = location.section->title;
  out.available = key.availability == Availability::now;
  out.example = example_of(key, location.path);
  return out;
}

std::string text_of(const Explanation& explanation) {
  return fmt::format("{}\n  {}\n\n", explanation.key, explanation.help) +
         line("Type:", explanation.type) + line("Allowed:", explanation.allowed) +
         line("Default:", explanation.preset) +
         line("Keys:", fmt::format("{}", fmt::join(explanation.keys_below, ", "))) +
         line("Where:", explanation.where) +
         line("Available:",
              explanation.available ? "yes" : "not yet: accepted and checked, but has no effect") +
         line("Example:", indented(explanation.example));
}

// Keys that end in the given text, else similar ones.
std::vector<std::string> similar_keys(std::string_view typed) {
  const auto locations = all_key_locations();
  std::vector<std::string> out;
  const std::string ending = "." + std::string(typed);
  for (const KeyLocation& location : locations)
    if (location.path.ends_with(ending) && out.size() < kMostSuggestions)
      out.push_back(location.path);
  std::vector<std::string_view> paths;
  std::vector<std::string_view> names;
  paths.reserve(locations.size());
  names.reserve(locations.size());
  for (const KeyLocation& location : locations) {
    paths.push_back(location.path);
    names.push_back(location.key->name);
  }
  const auto nearest = nearest_name(typed, paths);
  if (out.empty() && nearest) out.emplace_back(*nearest);
  if (!out.empty()) return out;
  const auto near_name = nearest_name(typed.substr(typed.rfind('.') + 1), names);
  for (const KeyLocation& location : locations)
    if (near_name && location.key->name == *near_name && out.size() < kMostSuggestions)
      out.push_back(location.path);
  return out;
}

}  // namespace

std::string list_keys() {
  constexpr std::size_t kColumns = 80;
  std::string out;
  for (const Section& section : all_sections()) {
    std::string lines;
    std::string current;
    for (const Key& key : section.keys) {
      if (key.availability != Availability::now) continue;
      if (!current.empty() && current.size() + key.name.size() + 2 > kColumns)
        lines += std::exchange(current, "") + ",\n";
      current += (current.empty() ? "  " : ", ") + std::string(key.name);
    }
    if (!current.empty()) out += fmt::format("{}:\n{}{}\n\n", section.title, lines, current);
  }
  return out +
         "`heddle explain KEY` describes one of them, such as `heddle explain limits.body`.\n";
}

std::vector<Explanation> explain_every_key() {
  std::vector<Explanation> out;
  for (const KeyLocation& location : all_key_locations()) out.push_back(explanation_of(location));
  return out;
}

Result<std::string> explain(std::string_view key) {
  auto explanations = explain_all(key);
  if (!explanations) return std::move(explanations).error();
  std::string out;
  for (const Explanation& explanation : *explanations)
    out += (out.empty() ? "" : "\n") + text_of(explanation);
  return out;
}

Result<std::vector<Explanation>> explain_all(std::string_view key) {
  std::vector<Explanation> out;
  for (const KeyLocation& location : locations_of(trim(key)))
    out.push_back(explanation_of(location));
  if (!out.empty()) return out;
  const auto similar = similar_keys(trim(key));
  std::string message = fmt::format("there is no key `{}`", key);
  if (!similar.empty()) message += fmt::format(", did you mean `{}`?", fmt::join(similar, "`, `"));
  return Error{ErrorCode::not_found, message};
}

}  // namespace heddle::config
