#include "config/show_config.hpp"

#include "config/key_texts.hpp"
#include "config/read/values/secret_values.hpp"
#include "config/read/values/toml_value.hpp"

namespace heddle::config {

namespace {

// Its defaults hold only in a job that has the table: without it no links are followed.
constexpr std::string_view kDiscoverTable = "discover";

bool is_map(KeyType type) {
  return type == KeyType::text_map || type == KeyType::header_map;
}

// Some keys are true unless the setting they need is missing; nullptr: not this one.
const char* needed_by(std::string_view path) {
  if (path == "proxy.enabled") return "proxy.urls";
  if (path == "webhook.enabled") return "webhook.url";
  return nullptr;
}

class Lister {
 public:
  explicit Lister(const LoadedJob& job) : job_(job), settings_(job.settings) {}

  std::vector<ShownValue> list() && {
    add_section(section_named("job"), "", true);
    return std::move(out_);
  }

 private:
  void add_section(const Section& section, const std::string& prefix, bool is_available) {
    for (const Key& key : section.keys) {
      const std::string path = prefix + std::string(key.name);
      const bool is_now = is_available && key.availability == Availability::now;
      if (key.name == kDiscoverTable && !has_entries(path + ".")) continue;
      if (key.type == KeyType::table)
        add_section(section_named(key.allowed), path + ".", is_now);
      else if (is_map(key.type))
        add_entries(path + ".");
      else
        add_value(key, path, is_now);
    }
  }

  [[nodiscard]] bool has_entries(const std::string& prefix) const {
    const auto at = settings_.lower_bound(prefix);
    return at != settings_.end() && at->first.starts_with(prefix);
  }

  void add_entries(const std::string& prefix) {
    for (auto at = settings_.lower_bound(prefix);
         at != settings_.end() && at->first.starts_with(prefix); ++at)
      add_setting(at->first, at->second);
  }

  void add_value(const Key& key, const std::string& path, bool is_now) {
    const auto found = settings_.find(path);
    if (found != settings_.end()) return add_setting(path, found->second);
    if (path == "id" && !job_.id.text.empty())
      return out_.push_back({path, in_quotes(job_.id.text), "from the name", true});
    if (const char* needed = needed_by(path); needed != nullptr && is_now)
      return settings_.contains(needed)
                 ? out_.push_back({path, "true", std::string("with ") + needed, true})
                 : out_.push_back({path, "false", Origin{}.text(), true});
    const std::string preset = preset_as_toml(key);
    if (!preset.empty() && is_now) out_.push_back({path, preset, Origin{}.text(), true});
  }

  void add_setting(const std::string& path, const Setting& setting) {
    out_.push_back({path, safe_text(setting), setting.origin.text(), setting.available});
  }

  const LoadedJob& job_;
  const Settings& settings_;
  std::vector<ShownValue> out_;
};

}  // namespace

std::vector<ShownValue> show_config(const LoadedJob& job) {
  return Lister(job).list();
}

}  // namespace heddle::config
