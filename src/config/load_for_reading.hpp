// Loads a project for commands that only show what is stored.
#pragma once

#include <filesystem>

#include "config/environment.hpp"
#include "config/load_project.hpp"

namespace heddle::config {

// As load_project(), but does not read the long files of `urls_file`: their jobs have no URLs, and
// mistakes in them are not found. Such a job must not run.
Loaded load_for_reading(const std::filesystem::path& root, const Environment& environment);

}  // namespace heddle::config
