// Binding maps a key to a member of Job or Project. For bind_job.cpp and bind_project.cpp.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "config/read/values/quantity.hpp"
#include "config/read/values/scalar.hpp"
#include "config/settings.hpp"
#include "model/job/job.hpp"
#include "model/names.hpp"

namespace heddle::config {

inline constexpr NameTable<RobotsRule, 3> kRobots{{{RobotsRule::discovered_only, "discovered"},
                                                   {RobotsRule::obey, "obey"},
                                                   {RobotsRule::ignore, "ignore"}}};

// A setting's value, read in the type of the model's member.
struct Given {
  const Typed& typed;

  template <class T>
  [[nodiscard]] const T& as() const {
    return std::get<T>(typed);
  }
  [[nodiscard]] bool flag() const { return as<bool>(); }
  [[nodiscard]] std::int64_t count() const { return as<std::int64_t>(); }
  [[nodiscard]] int small_count() const { return static_cast<int>(count()); }
  [[nodiscard]] double number() const { return as<double>(); }
  [[nodiscard]] const std::string& text() const { return as<std::string>(); }
  [[nodiscard]] std::chrono::milliseconds time() const { return as<std::chrono::milliseconds>(); }
  [[nodiscard]] const std::vector<std::string>& texts() const {
    return as<std::vector<std::string>>();
  }
  [[nodiscard]] const NamedText& named() const { return as<NamedText>(); }
  // A size, or a share of the disk: "10%".
  [[nodiscard]] StorageRule storage() const {
    StorageRule rule;
    if (const auto* bytes = std::get_if<std::int64_t>(&typed))
      rule.bytes = *bytes;
    else
      rule.share = parse_percent(trim(text())).value_or(10) / 100;
    return rule;
  }
  template <class Enum, std::size_t N>
  [[nodiscard]] Enum word(const NameTable<Enum, N>& table) const {
    return value_of(table, text()).value_or(table.front().first);
  }
};

template <class Target>
struct Binding {
  std::string_view path;
  void (*set)(Target&, const Given&);
};

template <class Target, std::size_t N>
const Binding<Target>* find_binding(const Binding<Target> (&table)[N], std::string_view path) {
  for (const Binding<Target>& binding : table)
    if (binding.path == path) return &binding;
  return nullptr;
}

// "headers.accept" -> "headers": entries of a map share the row of their key.
inline std::string_view path_of_key(std::string_view path, const Setting& setting) {
  if (const auto* named = std::get_if<NamedText>(&setting.value))
    path.remove_suffix(named->first.size() + 1);
  return path;
}

inline bool has_value(const Setting& setting) {
  return !std::holds_alternative<std::monostate>(setting.value);
}

template <class Target, std::size_t N>
void bind_all(const Binding<Target> (&table)[N], const Settings& settings, Target& target) {
  for (const auto& [path, setting] : settings) {
    if (!has_value(setting)) continue;
    const auto* binding = find_binding(table, path_of_key(path, setting));
    if (binding != nullptr) binding->set(target, Given{setting.value});
  }
}

template <class Target, std::size_t N>
void bind_presets(const Binding<Target> (&table)[N], const Section& section,
                  const std::string& prefix, Target& target) {
  for (const Key& key : section.keys) {
    const std::string path = prefix + std::string(key.name);
    if (key.type == KeyType::table && key.allowed != "job")
      bind_presets(table, section_named(key.allowed), path + ".", target);
    const Typed preset = preset_of(key);
    const auto* binding = find_binding(table, path);
    if (binding != nullptr && !std::holds_alternative<std::monostate>(preset))
      binding->set(target, Given{preset});
  }
}

}  // namespace heddle::config
