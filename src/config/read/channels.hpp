// [channels.NAME] and [alerts] of heddle.toml: what each channel needs, and what is not there yet.
#pragma once

#include "config/load_project.hpp"
#include "config/settings.hpp"

namespace heddle::config {

// A channel of a type that is not available yet keeps no job from running: it is only not used.
void check_channel_types(Settings& project);

// What belongs together; once the project is bound.
void check_channels(Loaded& loaded);

}  // namespace heddle::config
