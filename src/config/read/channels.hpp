// Checks [channels.NAME] and [alerts] of heddle.toml: required keys and types that are not
// available yet.
#pragma once

#include "config/load_project.hpp"
#include "config/settings.hpp"

namespace heddle::config {

// A channel of a type that is not available yet is not used; jobs still run.
void check_channel_types(Settings& project);

// Checks keys that depend on each other. Call it after bind_project().
void check_channels(Loaded& loaded);

}  // namespace heddle::config
