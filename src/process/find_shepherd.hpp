// Where the program `heddle-shepherd` of this installation is.
#pragma once

#include <filesystem>

#include "base/result.hpp"

namespace heddle::process {

// Beside the running executable or in its installation's libexec folder. Ask once, at the start:
// an installation may be replaced while it runs.
Result<std::filesystem::path> find_shepherd();

// The same for any executable of an installation.
Result<std::filesystem::path> find_shepherd_of(const std::filesystem::path& executable);

}  // namespace heddle::process
