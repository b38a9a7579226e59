// Settings holds the values of one layer (a job's file, a group, the defaults) or of several merged
// layers, flat by path ("limits.body"), each with its origin. It has written values only; defaults
// stay in the key table. Plain values.
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

#include "base/secrets/secret_text.hpp"
#include "config/key_table.hpp"
#include "config/problem.hpp"
#include "model/job/job.hpp"

namespace heddle::config {

// How the paths of all keys of [channels] begin.
inline constexpr std::string_view kChannels = "channels.";

struct TomlEntry;  // read/value.hpp

struct Origin {
  std::string file;  // empty: a built-in default
  int line = 0;

  [[nodiscard]] std::string text() const;  // "heddle.toml:3" or "default"
};

// A header, variable or environment entry: maps are stored entry by entry so that layers merge.
using NamedText = std::pair<std::string, std::string>;

using Typed = std::variant<std::monostate, bool, std::int64_t, double, std::string,
                           std::chrono::milliseconds, std::vector<std::string>, NamedText,
                           std::vector<FieldRule>, std::vector<HookRule>>;

// A setting whose texts refer to secrets.
struct SettingSecrets {
  std::string unresolved;          // as TOML, after substitution of vars only: safe to store
  std::vector<std::string> texts;  // the same of a text, of each text of a list, or of an entry
  std::vector<Secret> used;        // those that stand in the setting itself, not in vars
};

struct Setting {
  const Key* key = nullptr;  // nullptr: an unknown key
  std::string label;         // the key in problems: "groups.shops.timeout"
  Typed value;               // monostate: off, invalid, or a table list that is not supported yet
  std::string written;       // as TOML, before substitution: safe to show
  std::string effective;     // as TOML, after substitution: may hold secrets
  std::shared_ptr<const SettingSecrets> secrets;  // null: it refers to none
  Origin origin;
  bool available = true;
  bool prevents_running = false;  // needs a feature that is not available yet
  std::vector<Problem> problems;
  // Set until the job's vars are substituted.
  std::shared_ptr<const TomlEntry> unfilled;
};

using Settings = std::map<std::string, Setting, std::less<>>;

// Entries of `upper` replace those of `lower`.
void overlay(Settings& lower, const Settings& upper);

}  // namespace heddle::config
