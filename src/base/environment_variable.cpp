#include "base/environment_variable.hpp"

#include <cstdlib>

namespace heddle {

std::optional<std::string> environment_variable(const std::string& name) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing changes the environment once there are threads
  const char* value = std::getenv(name.c_str());
  if (value == nullptr) return std::nullopt;
  return std::string(value);
}

std::optional<std::string> take_environment_variable(const std::string& name) {
  auto value = environment_variable(name);
  unsetenv(name.c_str());  // NOLINT(concurrency-mt-unsafe): the caller has no threads yet
  return value;
}

}  // namespace heddle
