// Runs the real program on a pseudo-terminal.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::testing {

struct TerminalSettings {
  int columns = 80;
  // Replaces variables of this process; an empty value removes one.
  std::vector<std::pair<std::string, std::string>> environment{};
  std::string typed{};  // at once
};

struct TerminalResult {
  int exit_code = -1;
  std::string output;  // of standard output and standard error together
};

// Standard input is the terminal, too.
TerminalResult run_on_terminal(const std::filesystem::path& project,
                               std::vector<std::string> arguments,
                               const TerminalSettings& settings);

}  // namespace heddle::testing
