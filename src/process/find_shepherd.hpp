// Finds the program `heddle-shepherd` of this installation.
#pragma once

#include <filesystem>

#include "base/result.hpp"

namespace heddle::process {

// Searches beside the running executable and in the libexec folder of its installation. Call it
// once, at start-up: the installation may be replaced while the program runs.
Result<std::filesystem::path> find_shepherd();

// Does the same for any executable of an installation.
Result<std::filesystem::path> find_shepherd_of(const std::filesystem::path& executable);

}  // namespace heddle::process
