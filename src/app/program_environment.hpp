// The program's environment as a value.
#pragma once

#include "notify/desktop.hpp"

namespace heddle::app {

notify::Environment program_environment();

}  // namespace heddle::app
