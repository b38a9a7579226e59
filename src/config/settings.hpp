// The values of one layer (a job's file, a group, the defaults) or of several laid over each other,
// flat by path ("limits.body"), each with its origin. Only what was written; presets stay in the
// key table. Plain values.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "config/key_table.hpp"
#include "config/problem.hpp"
#include "model/job.hpp"

namespace heddle::config {

struct Entry;  // as the file has it, read/value.hpp

struct Origin {
  std::string file;  // empty: a built-in default
  int line = 0;

  [[nodiscard]] std::string text() const;  // "heddle.toml:3" or "default"
};

// A header, variable or environment entry: maps are kept entry by entry so that layers merge.
using NamedText = std::pair<std::string, std::string>;

using Typed = std::variant<std::monostate, bool, std::int64_t, double, std::string,
                           std::chrono::milliseconds, std::vector<std::string>, NamedText,
                           std::vector<FieldRule>, std::vector<HookRule>>;

struct Setting {
  const Key* key = nullptr;  // nullptr: an unknown key, kept for its problem
  std::string label;         // as problems name it: "groups.shops.timeout"
  Typed value;               // monostate: switched off, wrong, or a table list without a reader yet
  std::string written;       // as TOML, ${…} and {{…}} as they stand: safe to show
  std::string effective;     // as TOML, everything filled in: may hold secrets
  Origin origin;
  bool available = true;
  bool prevents_running = false;  // asks for something that is not there yet
  std::vector<Problem> problems;
  // Set while {{…}} waits for the job's vars.
  std::shared_ptr<const Entry> unfilled;
};

using Settings = std::map<std::string, Setting, std::less<>>;

// Entries of `upper` replace those of `lower`.
void lay_over(Settings& lower, const Settings& upper);

}  // namespace heddle::config
