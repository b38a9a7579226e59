// Flattens the job layers of heddle.toml, defaults and groups, into one map. Pure.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "config/settings.hpp"

namespace heddle::config {

// "defaults.timeout", "groups.shops.timeout"; "groups.shops." is the group itself, which jobs can
// name even when it is empty.
Settings flat_layers(const Settings& defaults,
                     const std::map<std::string, Settings, std::less<>>& groups);

}  // namespace heddle::config
