// Lists the children that spawn() started and has not reaped. All other children of a process are
// inherited or started by its host. Children belong to the whole process, and so does this list.
// Thread-safe; no call blocks.
#pragma once

#include <cstdint>
#include <optional>
#include <set>

#include <sys/types.h>

namespace heddle::process {

// Distinguishes the children that had the same pid.
using ChildToken = std::uint64_t;

// A start in progress: until its child is added, the child cannot be told from an inherited one.
class ChildStartScope {
 public:
  ChildStartScope();
  ~ChildStartScope();
  ChildStartScope(const ChildStartScope&) = delete;
  ChildStartScope& operator=(const ChildStartScope&) = delete;

  ChildToken add(pid_t pid);
};

// Call it after the reap.
void remove_own_child(pid_t pid, ChildToken token);

// Changes with every start. nullopt: a start is in progress.
std::optional<std::uint64_t> started_children();

std::set<pid_t> own_children();

}  // namespace heddle::process
