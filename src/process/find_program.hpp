// Looks a program up in the folders of a PATH variable.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

namespace heddle::process {

// The first executable file of that name; empty folders of the list are skipped, never "here".
std::optional<std::filesystem::path> find_program(std::string_view name,
                                                  std::string_view path_variable);

}  // namespace heddle::process
