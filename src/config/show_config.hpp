// Lists every value of a job with its origin for `config show`, without secrets.
#pragma once

#include <string>
#include <vector>

#include "config/load_project.hpp"

namespace heddle::config {

struct ShownValue {
  std::string key;
  std::string value;   // as TOML; ${env:…} and ${file:…} stay as written
  std::string origin;  // "jobs/shop/config.toml:3", "default" or "from the name"
  bool available = true;
};

// In the order of the key table, defaults included.
std::vector<ShownValue> show_config(const LoadedJob& job);

}  // namespace heddle::config
