// Checks which values of `store` and `queue` this version supports.
#pragma once

#include "config/settings.hpp"

namespace heddle::config {

// A server that is not supported yet prevents every job from running; any other value is an error.
void check_adapters(Settings& project);

}  // namespace heddle::config
