// Starts a program in a new process without copying the memory of this one. Shared by spawn() and
// the shepherd: libc only and no allocation, because the shepherd links nothing else.
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

// Lists the descriptors that stay open in the child. Sources and targets are sorted and unique.
struct DescriptorPlan {
  DescriptorMove* moves = nullptr;
  std::size_t move_count = 0;
  const int* sources = nullptr;
  std::size_t source_count = 0;
  const int* targets = nullptr;  // with 0, 1 and 2: /dev/null unless a descriptor moves there
  std::size_t target_count = 0;
};

struct ChildPlan {
  const char* file = nullptr;
  char* const* argv = nullptr;
  char* const* environment = nullptr;
  const char* directory = nullptr;        // null: the current one
  DescriptorPlan* descriptors = nullptr;  // null: all without close-on-exec stay open
  bool has_own_session = false;           // otherwise only its own process group
  std::uint64_t descriptor_limit = 0;     // soft RLIMIT_NOFILE; 0: inherited
  int cgroup_entrance = -1;               // cgroup.procs of the cgroup to join; -1: none
};

enum class StartStep { none, clone, group, parent_death, descriptors, directory, execute };

struct ChildStart {
  pid_t pid = -1;
  int pidfd = -1;  // closed on exec
  StartStep failed_step = StartStep::none;
  int error = 0;  // errno of the failed step

  [[nodiscard]] bool succeeded() const { return failed_step == StartStep::none; }
};

// Returns when the program runs, or has failed to start and was reaped. The kernel kills the child
// when the calling thread ends. The child has default signal dispositions and no blocked signal.
ChildStart start_child(const ChildPlan& plan);

}  // namespace heddle::process
