// Parses the arguments, runs the command and returns the exit status.
#pragma once

#include "cli/command_backend.hpp"
#include "cli/database_maintenance.hpp"
#include "config/environment.hpp"

namespace heddle::cli {

int run_command_line(int argc, char** argv, CommandBackend& backend,
                     DatabaseMaintenance& maintenance, const config::Environment& environment);

}  // namespace heddle::cli
