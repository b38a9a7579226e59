// Finds programs of jobs and hooks that would not start: what `heddle run` fails on, `heddle check`
// names. Blocks on the disk.
#pragma once

#include <vector>

#include "cli/command_backend.hpp"
#include "commands/process_environment.hpp"

namespace heddle::app {

// `daemon_environment`: of the process that would start them.
std::vector<cli::ScriptProblem> check_programs(const Project& project,
                                               const commands::Variables& daemon_environment);

}  // namespace heddle::app
