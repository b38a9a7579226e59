// Describes how a process ended, as the kernel reports it. Plain value.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include <sys/types.h>

namespace heddle::process {

struct ExitStatus {
  pid_t pid = 0;
  // One of these two; neither when other code of this program has reaped the child.
  std::optional<int> exit_code{};
  std::optional<int> signal{};
  bool dumped_core = false;
  std::chrono::microseconds user_time{0};
  std::chrono::microseconds system_time{0};
  std::int64_t peak_memory_bytes = 0;

  [[nodiscard]] bool succeeded() const { return exit_code == 0; }
};

// "exit code 3", "killed by signal 9 (Killed)", "… (core dumped)": for messages.
std::string describe(const ExitStatus& exit_status);

}  // namespace heddle::process
