#include "config/read/values/adapters.hpp"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

namespace heddle::config {

namespace {

// Servers that `store` and `queue` will support later.
constexpr std::array<std::string_view, 2> kDatabases{"postgres", "postgresql"};
constexpr std::array<std::string_view, 3> kBrokers{"amqp", "amqps", "rabbitmq"};

// Data meant for a cluster must not silently go to a local file.
void check_adapter(Settings& settings, std::string_view key, std::string_view here,
                   std::span<const std::string_view> elsewhere) {
  const auto found = settings.find(key);
  if (found == settings.end()) return;
  Setting& setting = found->second;
  const auto* value = std::get_if<std::string>(&setting.value);
  if (value == nullptr || *value == here) return;
  const std::string_view kind = std::string_view(*value).substr(0, value->find(':'));
  std::erase_if(setting.problems,
                [](const Problem& each) {  // the "no effect" notice would be wrong: nothing runs
                  return each.severity == ProblemSeverity::notice;
                });
  const bool is_planned = std::find(elsewhere.begin(), elsewhere.end(), kind) != elsewhere.end();
  setting.prevents_running = is_planned;
  // The value may contain a password: show its kind only.
  setting.problems.push_back(
      {setting.origin.file, setting.origin.line, setting.label,
       is_planned
           ? fmt::format("\"{}\" is not available yet, so no job can run: use \"{}\"", kind, here)
           : fmt::format("expected \"{}\" or {}://…", here, elsewhere.front()),
       ProblemSeverity::error});
}

}  // namespace

void check_adapters(Settings& project) {
  check_adapter(project, "store", "sqlite", kDatabases);
  check_adapter(project, "queue", "local", kBrokers);
}

}  // namespace heddle::config
