// Runs `heddle up` on a project and lists its processes.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <sys/types.h>

#include "tests/program/project_folder.hpp"

namespace heddle::testing {

class RunningDaemon {
 public:
  // Returns when every worker is ready. The destructor kills the daemon if it still runs.
  explicit RunningDaemon(const ProjectFolder& project, int processes = 2);

  [[nodiscard]] pid_t pid() const { return program_->pid(); }
  // Pids of the worker slots; empty when the daemon does not reply.
  [[nodiscard]] std::vector<pid_t> workers() const;
  [[nodiscard]] std::string worker_state(int slot) const;
  // All child processes of the daemon.
  [[nodiscard]] std::vector<pid_t> children() const;

  // The log so far. The daemon writes it in a thread of its own, after what it reports elsewhere.
  [[nodiscard]] std::string log() const;
  // Waits until the log has the text.
  [[nodiscard]] bool logs(const std::string& text) const;

  void signal(int number) { program_->signal(number); }
  ProgramResult wait() { return program_->wait(); }

 private:
  const ProjectFolder& project_;
  std::unique_ptr<RunningHeddle> program_;
};

// Waits until all processes have exited, at most this long.
bool exit_within(const std::vector<pid_t>& pids, std::chrono::milliseconds time);

}  // namespace heddle::testing
