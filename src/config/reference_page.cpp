#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "config/explain.hpp"
#include "config/key_table.hpp"
#include "config/key_texts.hpp"

namespace heddle::config {

namespace {

constexpr std::string_view kIntroduction = R"(# Configuration reference

<!-- Written from the key table in src/config; do not edit. `ninja config_docs` writes it again. -->

`heddle explain KEY` describes one key, `heddle check` reports every error with file and
line, `heddle config show JOB` prints each value of a job with its origin. For editors there is a
JSON Schema, `docs/heddle.schema.json`.

## Files

| file | holds |
| --- | --- |
| `heddle.toml` | settings of the whole project, defaults and groups for jobs; may be missing |
| `jobs.toml` | many small jobs, each under `[[jobs]]` |
| `jobs/**/config.toml` | one job; its folder is the job's directory, without other jobs in it. Hidden folders are left out |

A value of a job comes from, later wins: the built-in default, `[limits]` of heddle.toml (limits
only), `[defaults]`, the job's group, the job. Tables (`headers`, `vars`, `retry` …) are merged key
by key, lists are replaced. Of `url`, `urls` and `urls_file`, and of `interval` and `schedule`, the
later layer hides the others.

## Values

| kind | written as |
| --- | --- |
| duration | `600` (seconds), `"250ms"`, `"90s"`, `"10m"`, `"1h30m"`, `"7d"` |
| size | `1000` (bytes), `"10KB"`, `"10MB"`, `"2GB"`, `"1TB"` (powers of 1000), `"16MiB"` (powers of 1024: KiB, MiB, GiB, TiB) |
| secret | `${env:NAME}` or `${file:path}` (relative to the project, a trailing line break is dropped) inside any text; never shown, logged or stored ([secrets.md](secrets.md)). `$${env:NAME}` stands for `${env:NAME}` itself |
| variable | `{{name}}` inside any text of a job takes the value from `vars`. Filled-in text is not filled in again; together they add at most 1 MB to a text and 8 MB to a job |
| regular expression | RE2 syntax: no look-around and no back references, and no input that makes it slow |

Texts filled in by `${…}` or `{{…}}` may stand for numbers and for `true` or `false` too.

Keys of features that do not exist yet are listed in [roadmap.md](roadmap.md).
)";

constexpr std::string_view kRoadmapIntroduction = R"(# Keys of features that do not exist yet

<!-- Written from the key table in src/config; do not edit. `ninja config_docs` writes it again. -->

These keys are accepted and checked but have no effect in this version; `heddle check` reports each
as a notice, and `heddle explain KEY` describes it. The keys that work are in
[configuration.md](configuration.md).
)";

constexpr std::string_view kRoadmapWords = R"(
## Values

These values of keys that work are not available yet. `heddle check` reports an error for a value
without which the job cannot run; a channel of such a type only sends nothing.

| key | values |
| --- | --- |
)";

bool is_available(const Key& key) {
  return key.availability == Availability::now;
}

// The words that can be used now, or those that cannot.
std::string words_text(const Key& key, bool are_available) {
  std::string text;
  for (const std::string_view word : words_of(key)) {
    if (is_word_available(key, word) != are_available) continue;
    text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", word);
  }
  return text;
}

std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

std::string type_cell(const Key& key) {
  if (key.type == KeyType::word) return words_text(key, true);
  const bool has_words = key.type == KeyType::word_list && is_available(key);
  const std::string allowed = has_words ? words_text(key, true) : allowed_text(key);
  std::string type(describe(key.type));
  // The page explains how these are written in a table of its own.
  for (const char* kind : {"a duration", "a size"})
    if (type.starts_with(kind + std::string(": "))) type = kind;
  if (has_section(key.type))
    return fmt::format("{}, see [{}](#{})", type, key.allowed, key.allowed);
  return allowed.empty() ? type : fmt::format("{}, {}", type, allowed);
}

std::string default_cell(const Key& key) {
  const std::string preset = preset_as_toml(key);
  if (preset.empty()) return "none";
  return key.preset.starts_with('(') ? preset : "`" + preset + "`";
}

std::string row(const Key& key) {
  return fmt::format("| `{}` | {} | {} | {} |\n", key.name, cell(type_cell(key)),
                     cell(default_cell(key)), cell(key.help));
}

// The keys of a section that work, or those that do not yet; nothing without any.
std::string section_text(const Section& section, bool are_available) {
  const auto is_listed = [are_available](const Key& key) {
    return is_available(key) == are_available;
  };
  if (std::none_of(section.keys.begin(), section.keys.end(), is_listed)) return {};
  std::string out = fmt::format("\n<a id=\"{}\"></a>\n\n## {}\n\n", section.name, section.title);
  if (are_available && !section.also.empty())
    out += fmt::format("Besides the keys of [{}](#{}):\n\n", section.also, section.also);
  out += "| key | type | default | meaning |\n| --- | --- | --- | --- |\n";
  for (const Key& key : section.keys)
    if (is_listed(key)) out += row(key);
  return out;
}

}  // namespace

std::string reference_page() {
  std::string out(kIntroduction);
  for (const Section& section : all_sections()) out += section_text(section, true);
  return out;
}

std::string roadmap_page() {
  std::string out(kRoadmapIntroduction);
  for (const Section& section : all_sections()) out += section_text(section, false);
  out += kRoadmapWords;
  for (const KeyLocation& location : all_key_locations()) {
    const Key& key = *location.key;
    const bool has_words = key.type == KeyType::word || key.type == KeyType::word_list;
    if (!has_words || !is_available(key)) continue;
    if (const std::string words = words_text(key, false); !words.empty())
      out += fmt::format("| `{}` | {} |\n", location.path, cell(words));
  }
  return out;
}

}  // namespace heddle::config
