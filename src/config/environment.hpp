// Environment describes the machine to the configuration loader. It is passed in so that loading is
// repeatable.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace heddle::config {

struct Environment {
  // For ${env:NAME}; nullopt: not set.
  std::function<std::optional<std::string>(const std::string& name)> variable{};
  std::filesystem::path zoneinfo = "/usr/share/zoneinfo";  // the time zone database
  std::string system_timezone = "UTC";                     // when the project names none
};

// Returns the machine's zone: the TZ variable, else the target of `etc`/localtime, else
// `etc`/timezone, else "UTC".
std::string detect_timezone(const std::optional<std::string>& tz_variable,
                            const std::filesystem::path& etc);

}  // namespace heddle::config
