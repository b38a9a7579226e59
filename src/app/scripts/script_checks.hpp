// Checks the syntax of a project's scripts and loads them as a run does, without calling a hook.
#pragma once

#include <vector>

#include "cli/command_backend.hpp"
#include "model/job/job.hpp"

namespace heddle::app {

std::vector<cli::ScriptProblem> check_scripts(const Project& project);

}  // namespace heddle::app
