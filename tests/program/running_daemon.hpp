// `heddle up` on a project, and who its processes are.
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
  // Returns when it answers and every worker is ready. Killed, if it still runs, when destroyed.
  explicit RunningDaemon(const ProjectFolder& project, int processes = 2);

  [[nodiscard]] pid_t pid() const { return program_->pid(); }
  // Of the worker slots that have a process; empty when the daemon does not answer.
  [[nodiscard]] std::vector<pid_t> workers() const;
  [[nodiscard]] std::string worker_state(int slot) const;
  // Its own children, whatever they are.
  [[nodiscard]] std::vector<pid_t> children() const;

  // What it logged so far.
  [[nodiscard]] std::string log() const;

  void signal(int number) { program_->signal(number); }
  ProgramResult wait() { return program_->wait(); }

 private:
  const ProjectFolder& project_;
  std::unique_ptr<RunningHeddle> program_;
};

// Waits until none of them lives, at most this long.
bool are_gone_within(const std::vector<pid_t>& pids, std::chrono::milliseconds time);

}  // namespace heddle::testing
