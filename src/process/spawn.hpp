// Starts a process in its own process group. The kernel kills it when the thread that spawned it
// (the main thread or a StartThread) ends. No pid is signalled after it was reaped.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/file_descriptor.hpp"
#include "base/result.hpp"
#include "process/exit_status.hpp"
#include "process/tree/own_children.hpp"

namespace heddle::process {

struct InheritedDescriptor {
  int ours = -1;    // stays open and owned by the caller
  int number = -1;  // in the child
};

struct SpawnSpec {
  std::vector<std::string> argv;         // argv[0] is a path, not searched in PATH
  std::vector<std::string> environment;  // "NAME=value": the complete environment
  std::filesystem::path directory;       // empty: the current one
  // All others are closed in the child; 0, 1 and 2 are /dev/null unless listed.
  std::vector<InheritedDescriptor> descriptors;
  std::uint64_t descriptor_limit = 0;  // soft RLIMIT_NOFILE; 0: inherited
  int cgroup_entrance = -1;            // of the ProgramCgroup to join; -1: none
};

// Owns the process until it is reaped. One event loop.
class Spawned {
 public:
  Spawned(Spawned&& other) noexcept;
  Spawned& operator=(Spawned&&) = delete;
  ~Spawned();  // kills the group and reaps the process unless it was reaped

  [[nodiscard]] pid_t pid() const;
  [[nodiscard]] bool is_reaped() const;

  // False when it has been reaped already.
  bool send_signal(int signal) const;  // to the process alone
  bool kill_group(int signal) const;   // to its whole process group

  // Waits on the loop until the process has ended, kills the rest of its group and reaps it. One
  // wait at a time. Cancelling has no effect on the process; a later wait returns the same status.
  Async<ExitStatus> wait();

  // Does the same without a loop, blocking: for destructors. nullopt after the timeout.
  std::optional<ExitStatus> wait_at_most(std::chrono::milliseconds timeout);

 private:
  friend Result<Spawned> spawn(const SpawnSpec& spec);
  Spawned(pid_t pid, FileDescriptor pidfd, ChildToken token);
  void reap();

  pid_t pid_ = 0;  // 0: reaped or moved away
  FileDescriptor pidfd_;
  ChildToken token_ = 0;
  ExitStatus exit_status_;  // the pid from the start, the rest once reaped
};

// `not_found`: there is no such program or folder; the message names it.
Result<Spawned> spawn(const SpawnSpec& spec);

}  // namespace heddle::process
