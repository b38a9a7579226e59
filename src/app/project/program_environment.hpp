// Returns this process's environment variables as a map.
#pragma once

#include "notify/desktop.hpp"

namespace heddle::app {

notify::Environment program_environment();

}  // namespace heddle::app
