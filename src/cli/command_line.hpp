// The command line as a whole: reads the arguments, runs the command, returns the exit status.
#pragma once

#include "cli/upkeep.hpp"
#include "cli/work.hpp"
#include "config/environment.hpp"

namespace heddle::cli {

int run_command_line(int argc, char** argv, Work& work, Upkeep& upkeep,
                     const config::Environment& environment);

}  // namespace heddle::cli
