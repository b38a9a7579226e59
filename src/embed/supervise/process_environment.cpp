#include "embed/supervise/process_environment.hpp"

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include <unistd.h>

#include "base/environment_variable.hpp"
#include "process/find_program.hpp"

namespace heddle::embed {

namespace {

std::string_view name_of_variable(std::string_view variable) {
  return variable.substr(0, variable.find('='));
}

void put(std::vector<std::string>& environment, std::string variable) {
  const std::string_view name = name_of_variable(variable);
  std::erase_if(environment,
                [name](const std::string& known) { return name_of_variable(known) == name; });
  environment.push_back(std::move(variable));
}

}  // namespace

std::vector<std::string> program_arguments(std::vector<std::string> argv,
                                           const std::string& worker) {
  if (!worker.empty()) {
    // Resolved in the child, which still runs this program then.
    argv.insert(argv.begin(), "/proc/self/exe");
    return argv;
  }
  if (argv.empty() || argv[0].empty()) throw std::invalid_argument("no program given");
  if (argv[0].find('/') != std::string::npos) return argv;
  const std::string path = environment_variable("PATH").value_or("");
  if (const auto found = process::find_program(argv[0], path)) argv[0] = *found;
  return argv;
}

std::vector<std::string> program_environment(const std::vector<std::string>& added,
                                             const std::string& worker) {
  std::vector<std::string> all;
  for (char** variable = environ; variable && *variable; ++variable) all.emplace_back(*variable);
  std::erase_if(
      all, [](const std::string& variable) { return name_of_variable(variable) == kWorkerName; });
  for (const std::string& variable : added) {
    if (variable.find('=') == std::string::npos)
      throw std::invalid_argument("not NAME=value: " + variable);
    put(all, variable);
  }
  if (!worker.empty()) put(all, std::string(kWorkerName) + "=" + worker);
  return all;
}

}  // namespace heddle::embed
