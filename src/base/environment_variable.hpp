// The process's environment, which is read from any thread and changed only before there are some.
#pragma once

#include <optional>
#include <string>

namespace heddle {

// nullopt: not set. Set but empty is an empty text.
std::optional<std::string> environment_variable(const std::string& name);

// Removes it too, so that no child sees it. Only before other threads start.
std::optional<std::string> take_environment_variable(const std::string& name);

}  // namespace heddle
