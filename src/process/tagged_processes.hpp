// Finds processes by a mark in their environment, which descendants inherit. The last resort for
// what a killed shepherd leaves behind.
#pragma once

#include <string>

namespace heddle::process {

// Kills every process whose environment holds exactly this "NAME=value", again until there is none;
// blocks, but for less than a second. True when none is left.
bool kill_tagged_processes(const std::string& variable);

}  // namespace heddle::process
