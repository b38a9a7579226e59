#include "config/read/flat_layers.hpp"

namespace heddle::config {

Settings flat_layers(const Settings& defaults,
                     const std::map<std::string, Settings, std::less<>>& groups) {
  Settings flat;
  for (const auto& [path, setting] : defaults) flat.emplace("defaults." + path, setting);
  for (const auto& [name, settings] : groups) {
    const std::string prefix = "groups." + name + ".";
    flat.try_emplace(prefix);
    for (const auto& [path, setting] : settings) flat.insert_or_assign(prefix + path, setting);
  }
  return flat;
}

}  // namespace heddle::config
