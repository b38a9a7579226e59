// The one table of all configuration keys. Loader, check, explain, JSON Schema and reference page
// are made from it; a key that is not here is a mistake. Constant data.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::config {

enum class KeyType {
  boolean,
  integer,
  number,
  text,
  word,          // one of `allowed`
  duration,      // 600 (seconds) or "1h30m"
  milliseconds,  // 5000 (milliseconds) or "5s"
  size,          // 1000 (bytes) or "10MB"
  share,         // a size or a share of the disk, "10%"
  url,           // absolute http(s)
  css,
  zone,         // a name of the time zone database
  file,         // a path; relative to the job's folder or the project
  token,        // an HTTP method
  listen,       // "address:port"
  time_of_day,  // "08:00"
  time_span,    // "22:00-07:00"
  text_list,
  text_or_list,  // a text stands for a list of one
  word_list,     // each one of `allowed`, which may end in "*"
  url_list,
  proxy_list,  // http, https or socks5
  css_list,
  regex_list,
  network_list,  // CIDR, address or host
  text_map,      // names of the user's choice, texts as values
  header_map,
  field_list,       // "name:css", "name:css@attr" or a table
  table,            // keys of the section named by `allowed`
  table_list,       // any number of such tables
  table_map,        // such tables under names of the user's choice
  names_or_tables,  // a text, a list of texts, or such tables
};

// later: the key is accepted and checked, and `check` says that it has no effect yet.
enum class Availability { now, later };

struct Key {
  std::string_view name;
  KeyType type;
  // As it would be written, without quotes. Empty: none. "(…)": prose, worked out elsewhere.
  // "off" may also be written to switch the key off.
  std::string_view preset;
  // Words "a|b" ("~b": not available yet), a range "1..1000" (both ends included, either may be
  // left out), or the section of a table.
  std::string_view allowed;
  Availability availability;
  std::string_view help;
  std::string_view example = {};  // a value as TOML; empty: made from the preset or the type
};

struct Section {
  std::string_view name;
  std::string_view title;  // where its keys are written
  std::span<const Key> keys;
  std::string_view also = {};  // a section whose keys are allowed here too
};

// The first three are the roots: "project" (heddle.toml), "jobs_file" (jobs.toml), "job".
std::span<const Section> all_sections();

// A section that does not exist is a bug and throws; the names come from the table itself.
const Section& section_named(std::string_view name);

// nullptr when the section has no such key.
const Key* find_key(const Section& section, std::string_view name);

// Names of all keys allowed in a section, `also` included.
std::vector<std::string_view> key_names(const Section& section);

// Words of a key's `allowed` without their marks.
std::vector<std::string_view> words_of(const Key& key);
bool is_word_available(const Key& key, std::string_view word);

struct Range {
  std::string_view least;  // as written, empty: open
  std::string_view most;
};
Range range_of(const Key& key);

// True for types whose `allowed` names a section.
bool has_section(KeyType type);

// What may be written, for people: "a duration such as \"90s\"".
std::string_view describe(KeyType type);

}  // namespace heddle::config
