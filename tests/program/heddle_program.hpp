// Runs the real program: arguments in, output and exit status out.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace heddle::testing {

struct ProgramResult {
  int exit_code = -1;  // -1: ended by a signal
  int signal = 0;
  std::string out;
  std::string err;
  long peak_memory_kb = 0;
};

std::filesystem::path heddle_program();

ProgramResult run_heddle(const std::filesystem::path& project, std::vector<std::string> arguments);
// The same with standard output redirected to a file, such as /dev/full.
ProgramResult run_heddle_into(const std::filesystem::path& file,
                              const std::filesystem::path& project,
                              std::vector<std::string> arguments);

// Runs heddle in the background, for tests that signal or kill it.
class RunningHeddle {
 public:
  // Output is read by wait(), or redirected to the files if given.
  RunningHeddle(const std::filesystem::path& project, std::vector<std::string> arguments,
                const std::filesystem::path& out_file = {},
                const std::filesystem::path& err_file = {});
  ~RunningHeddle();  // kills and reaps the process if it still runs
  RunningHeddle(const RunningHeddle&) = delete;
  RunningHeddle& operator=(const RunningHeddle&) = delete;

  [[nodiscard]] pid_t pid() const { return pid_; }
  void signal(int number) const;
  // Reads standard error until `count` lines start with `start`, or it ends.
  void wait_for_lines(std::string_view start, std::size_t count);
  // Waits for the exit and reads all output.
  ProgramResult wait();

 private:
  pid_t pid_ = -1;
  int out_ = -1;
  int err_ = -1;
  ProgramResult result_;  // what was read so far
};

}  // namespace heddle::testing
