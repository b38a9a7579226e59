// The project as its files stand now, for programs that run on their own.
#pragma once

#include <filesystem>

#include "base/result.hpp"
#include "config/environment.hpp"
#include "model/job.hpp"

namespace heddle::app {

// Jobs with mistakes are left out. `bad_input` when heddle.toml itself has some.
Result<Project> read_sound_project(const std::filesystem::path& folder,
                                   const config::Environment& environment);

}  // namespace heddle::app
