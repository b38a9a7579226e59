#include "process/find_program.hpp"

#include <unistd.h>

#include "base/text.hpp"

namespace heddle::process {

std::optional<std::filesystem::path> find_program(std::string_view name,
                                                  std::string_view path_variable) {
  for (const std::string_view folder : split(path_variable, ':')) {
    if (folder.empty()) continue;
    const auto file = std::filesystem::path(folder) / name;
    std::error_code ignored;
    if (std::filesystem::is_regular_file(file, ignored) && access(file.c_str(), X_OK) == 0)
      return file;
  }
  return std::nullopt;
}

}  // namespace heddle::process
