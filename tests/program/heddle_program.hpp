// Runs the real program as a person would: arguments in, output and exit status out.
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
// The same with standard output going into a file, such as /dev/full.
ProgramResult run_heddle_into(const std::filesystem::path& file,
                              const std::filesystem::path& project,
                              std::vector<std::string> arguments);

// A heddle that runs beside the test, for tests that end it the hard way.
class RunningHeddle {
 public:
  // What is printed is read by wait(), or goes into files where they are given.
  RunningHeddle(const std::filesystem::path& project, std::vector<std::string> arguments,
                const std::filesystem::path& out_file = {},
                const std::filesystem::path& err_file = {});
  ~RunningHeddle();  // kills and reaps what is still there
  RunningHeddle(const RunningHeddle&) = delete;
  RunningHeddle& operator=(const RunningHeddle&) = delete;

  [[nodiscard]] pid_t pid() const { return pid_; }
  void signal(int number) const;
  // Reads standard error until so many of its lines begin with `start`, or it ends.
  void wait_for_lines(std::string_view start, std::size_t count);
  // Waits for the end and reads all that was printed.
  ProgramResult wait();

 private:
  pid_t pid_ = -1;
  int out_ = -1;
  int err_ = -1;
  ProgramResult result_;  // what was read so far
};

}  // namespace heddle::testing
