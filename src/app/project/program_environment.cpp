#include "app/project/program_environment.hpp"

#include <string_view>

#include <unistd.h>

namespace heddle::app {

notify::Environment program_environment() {
  notify::Environment environment;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos)
      environment.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return environment;
}

}  // namespace heddle::app
