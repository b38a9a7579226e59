// Builds the arguments and the environment of a spawned process.
#pragma once

#include <string>
#include <vector>

namespace heddle::embed {

inline constexpr const char* kWorkerName = "HEDDLE_WORKER";

// With a worker's name: runs this program. Throws std::invalid_argument without a program.
std::vector<std::string> program_arguments(std::vector<std::string> argv,
                                           const std::string& worker);

// Returns this process's environment, overridden by the given variables.
std::vector<std::string> program_environment(const std::vector<std::string>& added,
                                             const std::string& worker);

}  // namespace heddle::embed
