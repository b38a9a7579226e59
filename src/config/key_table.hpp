// Lists every configuration key once. Loader, check, explain, JSON Schema and reference page are
// derived from this table; any other key is an error. Constant data.
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
  selector,  // CSS, XPath or JSONPath
  zone,         // a name of the time zone database
  file,         // a path; relative to the job's folder or the project
  token,        // an HTTP method
  listen,       // "address:port"
  time_of_day,  // "08:00"
  time_span,    // "22:00-07:00"
  text_list,
  text_or_list,  // a single text is a list of one
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

// later: the key is accepted and validated, but `check` reports that it has no effect yet.
enum class Availability { now, later };

struct Key {
  std::string_view name;
  KeyType type;
  // The default as written in a file, without quotes. Empty: none. "(…)": prose, computed
  // elsewhere. "off": the user may also write "off" to disable the key.
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
  std::string_view title;  // the table that holds its keys
  std::span<const Key> keys;
  std::string_view also = {};  // a section whose keys are allowed here too
};

// The first three are the roots: "project" (heddle.toml), "jobs_file" (jobs.toml), "job".
std::span<const Section> all_sections();

// Throws for an unknown section: names come from the table itself, so this is a bug.
const Section& section_named(std::string_view name);

// Returns nullptr when the section has no such key.
const Key* find_key(const Section& section, std::string_view name);

// Names of all keys allowed in a section, `also` included.
std::vector<std::string_view> key_names(const Section& section);

// The words of a key's `allowed`, without "~".
std::vector<std::string_view> words_of(const Key& key);
bool is_word_available(const Key& key, std::string_view word);

struct KeyRange {
  std::string_view least;  // as written, empty: open
  std::string_view most;
};
KeyRange range_of(const Key& key);

// True for types whose `allowed` names a section.
bool has_section(KeyType type);

// Describes the type to users: "a duration such as \"90s\"".
std::string_view describe(KeyType type);

}  // namespace heddle::config
