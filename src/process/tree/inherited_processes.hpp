// Kills and reaps the children that this process has not started: as a subreaper it inherits what a
// killed shepherd leaves behind. Only for programs all of whose children spawn() starts: in a host
// of the library, these children would include the host's own.
#pragma once

#include <chrono>

namespace heddle::process {

// Makes this process a subreaper until destruction.
class SubreaperScope {
 public:
  SubreaperScope();
  ~SubreaperScope();
  SubreaperScope(const SubreaperScope&) = delete;
  SubreaperScope& operator=(const SubreaperScope&) = delete;

 private:
  bool was_subreaper_ = false;
};

// Kills each inherited child and reaps those that have ended. Their own children are inherited
// then, and the next call kills them. True when none was left. Does not block. Thread-safe.
bool kill_inherited_children();

// Does so repeatedly until none is left; blocks, at most this long. True when none is left.
bool kill_inherited_processes(std::chrono::milliseconds timeout);

}  // namespace heddle::process
