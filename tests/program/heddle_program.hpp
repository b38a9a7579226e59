// Runs the real program as a person would: arguments in, output and exit status out.
#pragma once

#include <filesystem>
#include <string>
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

ProgramResult run_heddle(const std::filesystem::path& project, std::vector<std::string> arguments);

// A heddle that runs beside the test, for tests that end it the hard way.
class RunningHeddle {
 public:
  RunningHeddle(const std::filesystem::path& project, std::vector<std::string> arguments);
  ~RunningHeddle();  // kills and reaps what is still there
  RunningHeddle(const RunningHeddle&) = delete;
  RunningHeddle& operator=(const RunningHeddle&) = delete;

  void signal(int number) const;
  // Waits for the end and reads all that was printed.
  ProgramResult wait();

 private:
  pid_t pid_ = -1;
  int out_ = -1;
  int err_ = -1;
};

}  // namespace heddle::testing
