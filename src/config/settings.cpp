#include "config/settings.hpp"

namespace heddle::config {

std::string Origin::text() const {
  if (file.empty()) return "default";
  return line > 0 ? file + ":" + std::to_string(line) : file;
}

void overlay(Settings& lower, const Settings& upper) {
  for (const auto& [path, setting] : upper) lower.insert_or_assign(path, setting);
}

}  // namespace heddle::config
