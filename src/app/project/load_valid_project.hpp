// Loads the valid jobs of a project for a worker process.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.hpp"
#include "config/environment.hpp"
#include "model/job/job.hpp"

namespace heddle::app {

// Skips jobs with errors. Takes the text of heddle.toml that the coordinator has applied, so that a
// half-saved file or a pending change cannot give workers different settings. Returns `bad_input`
// when the text has errors.
Result<Project> load_valid_project(const std::filesystem::path& folder, std::string settings_text,
                                   const config::Environment& environment);

}  // namespace heddle::app
