// Runs one program to its end and says exactly how it ended. It gets a process group of its own;
// whatever is left of that group when the program ends, or when its time is over, is killed.
// No threads, no signal handlers; destroying or cancelling the coroutine kills the group as well.
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
  std::vector<std::string> argv;         // argv[0] is the file to execute, not searched for
  std::vector<std::string> environment;  // "NAME=value": all that the program sees
  std::filesystem::path directory;       // empty: ours
  std::string input;                     // its standard input
  std::chrono::milliseconds timeout = std::chrono::seconds(30);
  std::size_t max_output_bytes = 64UL * 1024;  // kept of each stream; the rest is read and dropped
};

struct ProgramEnd {
  std::optional<int> exit_code;  // exactly one of these two
  std::optional<int> signal;
  bool timed_out = false;  // it was killed because its time was over
  std::string output;      // standard output
  std::string errors;      // standard error
  bool was_output_cut = false;

  [[nodiscard]] bool succeeded() const { return exit_code == 0; }
};

// Fails only when the program could not be started (`not_found` when there is no such file).
Async<Result<ProgramEnd>> run_program(ProgramSpec spec);

// "exit code 3", "killed by signal 9 (Killed)", "killed after 5s": for messages.
std::string describe(const ProgramEnd& end, std::chrono::milliseconds timeout);

}  // namespace heddle::process
