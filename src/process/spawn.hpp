// Starts a process that cannot outlive us: own process group, killed by the kernel when the thread
// that spawned it ends: the main thread, or a StartThread. No pid is ever signalled after it was
// reaped.
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
#include "process/exit_facts.hpp"

namespace heddle::process {

struct HandedDescriptor {
  int ours = -1;    // stays open and ours
  int number = -1;  // what the child finds it as
};

struct SpawnSpec {
  std::vector<std::string> argv;         // argv[0] is the file to execute, not searched for
  std::vector<std::string> environment;  // "NAME=value": all that the program sees
  std::filesystem::path directory;       // empty: ours
  // Everything else is closed in the child; 0, 1 and 2 are /dev/null unless listed.
  std::vector<HandedDescriptor> descriptors;
  std::uint64_t descriptor_limit = 0;  // how many it may have open (soft); 0: as many as we
};

// Owns the process until it is reaped. One event loop.
class Spawned {
 public:
  Spawned(Spawned&& other) noexcept;
  Spawned& operator=(Spawned&&) = delete;
  ~Spawned();  // kills the group and reaps what was not reaped

  [[nodiscard]] pid_t pid() const;
  [[nodiscard]] bool is_reaped() const;

  // False when it has been reaped already.
  bool send_signal(int signal) const;  // to the process alone
  bool kill_group(int signal) const;   // to its whole process group

  // Waits for its end on the loop, kills what is left of its group and reaps it; one wait at a
  // time. Cancelling leaves the process as it is; once reaped, the same facts are told again.
  Async<ExitFacts> wait();

  // The same without a loop, blocking: for destructors. Nothing when it takes longer.
  std::optional<ExitFacts> wait_at_most(std::chrono::milliseconds patience);

 private:
  friend Result<Spawned> spawn(const SpawnSpec& spec);
  Spawned(pid_t pid, FileDescriptor pidfd);
  void reap();

  pid_t pid_ = 0;  // 0: reaped or moved away
  FileDescriptor pidfd_;
  ExitFacts facts_;  // its pid from the beginning, the rest once reaped
};

// `not_found` when there is no such program or folder; the message names it.
Result<Spawned> spawn(const SpawnSpec& spec);

}  // namespace heddle::process
