// Starts a program in a new process without copying this one's memory: what spawn() and the
// shepherd share. libc only and no allocation, because the shepherd links nothing else.
#pragma once

#include <cstddef>
#include <cstdint>

#include <sys/types.h>

namespace heddle::process {

struct DescriptorMove {
  int from = -1;
  int to = -1;
  int parked = -1;  // used while the child renumbers its descriptors
};

// All that stays open in the child. Both lists of numbers are sorted and name each number once.
struct DescriptorPlan {
  DescriptorMove* moves = nullptr;
  std::size_t move_count = 0;
  const int* sources = nullptr;
  std::size_t source_count = 0;
  const int* targets = nullptr;  // with 0, 1 and 2, which become /dev/null when nothing moves there
  std::size_t target_count = 0;
};

struct ChildPlan {
  const char* file = nullptr;
  char* const* argv = nullptr;
  char* const* environment = nullptr;
  const char* directory = nullptr;        // null: ours
  DescriptorPlan* descriptors = nullptr;  // null: whatever is not closed on exec stays open
  bool has_own_session = false;           // otherwise only a process group of its own
  std::uint64_t descriptor_limit = 0;     // how many it may have open (soft); 0: as many as we
};

enum class StartStep { none, clone, group, parent_death, descriptors, directory, execute };

struct ChildStart {
  pid_t pid = -1;
  int pidfd = -1;  // closed on exec
  StartStep failed_step = StartStep::none;
  int error = 0;  // errno of the failed step

  [[nodiscard]] bool succeeded() const { return failed_step == StartStep::none; }
};

// Returns once the program runs, or failed to and is reaped. The child is killed by the kernel when
// the calling thread ends, has default signal dispositions and no blocked signal.
ChildStart start_child(const ChildPlan& plan);

}  // namespace heddle::process
