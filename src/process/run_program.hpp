// Runs one program in its own process group and reports how it ended. Kills what is left of the
// group when the program has ended or timed out, and when the coroutine is destroyed or cancelled.
// Uses no threads and no signal handlers.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/result.hpp"

namespace heddle::process {

struct ProgramSpec {
  std::vector<std::string> argv;         // argv[0] is a path, not searched in PATH
  std::vector<std::string> environment;  // "NAME=value": the complete environment
  std::filesystem::path directory;       // empty: the current one
  std::string input;                     // written to standard input
  std::chrono::milliseconds timeout = std::chrono::seconds(30);
  std::size_t max_output_bytes = 64UL * 1024;  // kept of each stream; the rest is read and dropped
};

struct CompletedProgram {
  std::optional<int> exit_code;  // exactly one of these two
  std::optional<int> signal;
  bool timed_out = false;  // killed after the timeout
  std::string output;      // standard output
  std::string errors;      // standard error
  bool was_output_cut = false;

  [[nodiscard]] bool succeeded() const { return exit_code == 0; }
};

// Fails only when the program cannot be started (`not_found`: there is no such file).
Async<Result<CompletedProgram>> run_program(ProgramSpec spec);

// "exit code 3", "killed by signal 9 (Killed)", "killed after 5s": for messages.
std::string describe(const CompletedProgram& end, std::chrono::milliseconds timeout);

}  // namespace heddle::process
