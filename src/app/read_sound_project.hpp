// The jobs of a project as their files stand now, for programs that run on their own.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.hpp"
#include "config/environment.hpp"
#include "model/job.hpp"

namespace heddle::app {

// Jobs with mistakes are left out. What heddle.toml said when the first of these programs started
// is given to all: an editor that is saving it, or a change that nobody has taken up yet, must not
// give a part of them other settings. `bad_input` when that has mistakes.
Result<Project> read_sound_project(const std::filesystem::path& folder, std::string settings_text,
                                   const config::Environment& environment);

}  // namespace heddle::app
