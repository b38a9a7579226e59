// Finds processes by an environment variable, which descendants inherit: the fallback for processes
// that a killed shepherd leaves behind.
#pragma once

#include <string>

namespace heddle::process {

// Kills every process whose environment has exactly this "NAME=value" and repeats until none is
// left; blocks for less than a second. True when none is left.
bool kill_tagged_processes(const std::string& variable);

}  // namespace heddle::process
