// Logs calls that have no effect in this process to standard error when HEDDLE_LOG is "debug".
#pragma once

#include <string_view>

namespace heddle::embed {

void log_debug(std::string_view message);

}  // namespace heddle::embed
