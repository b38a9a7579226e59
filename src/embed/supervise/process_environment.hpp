// What a spawned process is given besides its slot: program, arguments, environment.
#pragma once

#include <string>
#include <vector>

namespace heddle::embed {

inline constexpr const char* kWorkerName = "HEDDLE_WORKER";

// With a worker's name: this program. Throws std::invalid_argument when there is nothing to run.
std::vector<std::string> program_arguments(std::vector<std::string> argv,
                                           const std::string& worker);

// This process's environment with the given variables put over it.
std::vector<std::string> program_environment(const std::vector<std::string>& added,
                                             const std::string& worker);

}  // namespace heddle::embed
