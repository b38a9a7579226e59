// What a new heddle.toml changes, and who of a running daemon has to hear of it. Pure.
#pragma once

#include <string>
#include <vector>

#include "config/load_project.hpp"

namespace heddle::config {

enum class TakenUpBy {
  coordinator,  // alone: workers never look at it
  workers,      // too
  next_daemon,  // it cannot change in a process that runs
};

struct SettingChange {
  std::string key;     // "limits.body", "groups.shops.timeout"
  std::string before;  // as TOML, without secrets; presets as they stand in the key table
  std::string after;
  TakenUpBy by = TakenUpBy::workers;

  bool operator==(const SettingChange&) const = default;
};

// All that heddle.toml says: the project's own settings, the defaults and the groups of its jobs.
Settings settings_of(const Loaded& loaded);

// By key, only what has an effect. A secret that is not the same any more counts, though it cannot
// be seen in the texts.
std::vector<SettingChange> compare_settings(const Settings& before, const Settings& after);

// What is in force when a daemon has taken up `after`: without what only the next one takes up.
Settings settings_in_force(const Settings& before, Settings after);

}  // namespace heddle::config
