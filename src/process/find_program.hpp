// Searches a program in the folders of a PATH variable.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

namespace heddle::process {

// Returns the first executable file of that name. Empty entries are skipped and never mean the
// current folder.
std::optional<std::filesystem::path> find_program(std::string_view name,
                                                  std::string_view path_variable);

}  // namespace heddle::process
