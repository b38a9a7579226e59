#include "config/settings_change.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "config/key_texts.hpp"
#include "config/read/values/secret_values.hpp"

namespace heddle::config {

namespace {

constexpr std::array<std::string_view, 3> kAppliedByNextDaemon{"data_dir", "store", "queue"};

// All other keys may concern workers. "*" matches any ending.
constexpr std::array<std::string_view, 17> kAppliedByCoordinator{"reload",
                                                                 "daemon.*",
                                                                 "recovery.delay",
                                                                 "recovery.backoff",
                                                                 "recovery.backoff_cap",
                                                                 "recovery.max_restarts",
                                                                 "recovery.window",
                                                                 "recovery.poison_limit",
                                                                 "limits.per_host",
                                                                 "limits.per_host_delay",
                                                                 "limits.runs_in_parallel",
                                                                 "limits.storage",
                                                                 "retention.*",
                                                                 "alerts.*",
                                                                 "channels.*",
                                                                 "log.level",
                                                                 "log.format"};

bool is_one_of(std::span<const std::string_view> names, std::string_view path) {
  return std::any_of(names.begin(), names.end(), [path](std::string_view name) {
    if (!name.ends_with('*')) return name == path;
    return path.starts_with(name.substr(0, name.size() - 1));
  });
}

// The coordinator owns the host gate; workers use headers and robots.txt rules.
bool is_of_host_gate(std::string_view path, const Setting& setting) {
  return path.starts_with("hosts.") && setting.key != nullptr &&
         (setting.key->name == "concurrency" || setting.key->name == "delay");
}

AppliedBy applier_of(std::string_view path, const Setting& setting) {
  if (is_one_of(kAppliedByNextDaemon, path)) return AppliedBy::next_daemon;
  const bool is_coordinators =
      is_one_of(kAppliedByCoordinator, path) || is_of_host_gate(path, setting);
  return is_coordinators ? AppliedBy::coordinator : AppliedBy::workers;
}

const Setting* find(const Settings& settings, const std::string& path) {
  const auto found = settings.find(path);
  return found == settings.end() || !found->second.available ? nullptr : &found->second;
}

bool is_job_layer(std::string_view path) {
  return path.starts_with("defaults.") || path.starts_with("groups.");
}

// The effective value of a key that is not written; for job layers it depends on the job.
std::string preset_text(const std::string& path, const Setting& elsewhere) {
  const std::string preset = is_job_layer(path) || elsewhere.key == nullptr
                                 ? std::string()
                                 : preset_as_toml(*elsewhere.key);
  return preset.empty() ? "not set" : preset;
}

std::string text_of(const Setting* setting, const std::string& path, const Setting& elsewhere) {
  if (setting == nullptr) return preset_text(path, elsewhere);
  return setting->key == nullptr ? "{}" : safe_text(*setting);
}

class Comparison {
 public:
  Comparison(const Settings& before, const Settings& after) : before_(before), after_(after) {}

  std::vector<SettingChange> list() && {
    for (const auto& [path, setting] : before_) compare_key(path, setting);
    for (const auto& [path, setting] : after_)
      if (!before_.contains(path)) compare_key(path, setting);
    std::sort(out_.begin(), out_.end(),
              [](const SettingChange& a, const SettingChange& b) { return a.key < b.key; });
    return std::move(out_);
  }

 private:
  void compare_key(const std::string& path, const Setting& known) {
    const Setting* before = find(before_, path);
    const Setting* after = find(after_, path);
    if (before == nullptr && after == nullptr) return;
    SettingChange change;
    change.key = path.ends_with('.') ? path.substr(0, path.size() - 1) : path;
    change.before = text_of(before, path, known);
    change.after = text_of(after, path, known);
    change.applied_by = applier_of(path, known);
    const bool is_same_value =
        before != nullptr && after != nullptr && before->effective == after->effective;
    // Writing the default explicitly is no change.
    const bool is_preset_written = (before == nullptr || after == nullptr) &&
                                   change.before == change.after && !is_secret(known);
    if (!is_same_value && !is_preset_written) out_.push_back(std::move(change));
  }

  const Settings& before_;
  const Settings& after_;
  std::vector<SettingChange> out_;
};

}  // namespace

Settings settings_of(const Loaded& loaded) {
  Settings all = loaded.project_settings;
  overlay(all, loaded.layers);
  return all;
}

std::vector<SettingChange> compare_settings(const Settings& before, const Settings& after) {
  return Comparison(before, after).list();
}

Settings active_settings(const Settings& before, Settings after) {
  for (const std::string_view path : kAppliedByNextDaemon) {
    if (const auto later = after.find(path); later != after.end()) after.erase(later);
    if (const auto still = before.find(path); still != before.end())
      after.insert_or_assign(still->first, still->second);
  }
  return after;
}

}  // namespace heddle::config
