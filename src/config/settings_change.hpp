// Compares two versions of heddle.toml and says which processes of a running daemon must apply each
// change. Pure.
#pragma once

#include <string>
#include <vector>

#include "config/load_project.hpp"

namespace heddle::config {

enum class AppliedBy {
  coordinator,  // the coordinator alone: workers do not use it
  workers,      // coordinator and workers
  next_daemon,  // it cannot change in a running process
};

struct SettingChange {
  std::string key;     // "limits.body", "groups.shops.timeout"
  std::string before;  // as TOML, without secrets; the default when it is not written
  std::string after;
  AppliedBy applied_by = AppliedBy::workers;

  bool operator==(const SettingChange&) const = default;
};

// All settings of heddle.toml: the project's own, [defaults] and [groups].
Settings settings_of(const Loaded& loaded);

// Sorted by key; only settings that have an effect. A changed secret counts although the texts hide
// it.
std::vector<SettingChange> compare_settings(const Settings& before, const Settings& after);

// The settings that a daemon uses after applying `after`: those that only the next daemon applies
// keep the value of `before`.
Settings active_settings(const Settings& before, Settings after);

}  // namespace heddle::config
