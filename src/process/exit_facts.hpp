// How a process ended, exactly as the kernel says it. Plain values.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include <sys/types.h>

namespace heddle::process {

struct ExitFacts {
  pid_t pid = 0;
  // One of these two; neither when something else in this program has taken the status.
  std::optional<int> exit_code{};
  std::optional<int> signal{};
  bool dumped_core = false;
  std::chrono::microseconds user_time{0};
  std::chrono::microseconds system_time{0};
  std::int64_t peak_memory_bytes = 0;

  [[nodiscard]] bool succeeded() const { return exit_code == 0; }
};

// "exit code 3", "killed by signal 9 (Killed)", "… (core dumped)": for messages.
std::string describe(const ExitFacts& facts);

}  // namespace heddle::process
