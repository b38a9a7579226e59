#include "config/environment.hpp"

#include <fstream>
#include <system_error>

#include "base/text.hpp"

namespace heddle::config {

namespace {

constexpr std::string_view kDatabase = "/zoneinfo/";

// "/usr/share/zoneinfo/Europe/Berlin" -> "Europe/Berlin"
std::string zone_in(std::string_view path) {
  const std::size_t mark = path.rfind(kDatabase);
  return mark == std::string_view::npos ? "" : std::string(path.substr(mark + kDatabase.size()));
}

}  // namespace

std::string detect_timezone(const std::optional<std::string>& tz_variable,
                            const std::filesystem::path& etc) {
  if (tz_variable) {  // POSIX: ":Europe/Berlin" and "" (UTC) are allowed too
    std::string_view name = *tz_variable;
    if (name.starts_with(':')) name.remove_prefix(1);
    if (name.starts_with('/')) return zone_in(name).empty() ? "UTC" : zone_in(name);
    return name.empty() ? "UTC" : std::string(name);
  }
  std::error_code no_link;
  const auto target = std::filesystem::read_symlink(etc / "localtime", no_link);
  if (!no_link && !zone_in(target.string()).empty()) return zone_in(target.string());
  std::ifstream in(etc / "timezone");
  std::string line;
  std::getline(in, line);
  return trim(line).empty() ? "UTC" : std::string(trim(line));
}

}  // namespace heddle::config
