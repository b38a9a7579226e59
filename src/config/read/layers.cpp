#include "config/read/layers.hpp"

#include <algorithm>
#include <array>

#include "config/key_table.hpp"

namespace heddle::config {

namespace {

// A job has one of each row; a layer that sets one hides the others in the layers below.
constexpr std::array<std::array<std::string_view, 3>, 3> kAlternatives{
    {{"url", "urls", "urls_file"}, {"interval", "schedule", ""}, {"command", "args", ""}}};

}  // namespace

void hide_alternatives(Settings& lower, const Settings& upper) {
  for (const auto& row : kAlternatives) {
    const bool is_given = std::any_of(row.begin(), row.end(),
                                      [&](std::string_view key) { return upper.contains(key); });
    for (const std::string_view key : row)
      if (const auto found = lower.find(key); is_given && found != lower.end()) lower.erase(found);
  }
}

void refuse_keys(Settings& settings, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    const auto found = settings.find(key);
    if (found == settings.end()) continue;
    const Setting& at = found->second;
    found->second.problems.push_back(
        {at.origin.file, at.origin.line, at.label,
         "can be set only in a job, not in [defaults] or [groups.NAME]"});
  }
}

Settings job_limits(const Settings& project) {
  Settings out;
  const Section& section = section_named("limits");
  for (const auto& [path, setting] : project)
    if (path.starts_with("limits.") && setting.key != nullptr &&
        find_key(section, setting.key->name) != nullptr)
      out.emplace(path, setting);
  return out;
}

Vars vars_of(const Settings& settings) {
  Vars vars;
  for (const auto& [path, setting] : settings)
    if (path.starts_with("vars."))
      if (const auto* named = std::get_if<NamedText>(&setting.value))
        vars.emplace(named->first, setting.secrets == nullptr
                                       ? VarText(named->second)
                                       : VarText(named->second, setting.secrets->texts.front()));
  return vars;
}

}  // namespace heddle::config
