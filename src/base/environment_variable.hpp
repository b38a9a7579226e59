// Reads the environment of the process. Reading is safe from any thread; only
// take_environment_variable() changes it.
#pragma once

#include <optional>
#include <string>

namespace heddle {

// nullopt: not set. A variable that is set but empty gives an empty text.
std::optional<std::string> environment_variable(const std::string& name);

// Also removes the variable, so that no child inherits it. Call before other threads start.
std::optional<std::string> take_environment_variable(const std::string& name);

}  // namespace heddle
