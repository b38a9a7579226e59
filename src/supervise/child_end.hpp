// The child's end of its link to the supervisor, found through the environment.
#pragma once

#include <chrono>

#include "base/file_descriptor.hpp"
#include "base/result.hpp"
#include "supervise/child_page.hpp"
#include "supervise/control_frames.hpp"

namespace heddle::supervise {

struct ChildEnd {
  FileDescriptor socket;
  ChildPage page;
  Assignment assignment;  // of a spare: empty until it is told
  bool is_spare = false;
  std::chrono::milliseconds heartbeat{1000};
};

// Once per process, before it has threads: the descriptors become ours and are closed in programs
// that we start, and the names are taken out of the environment so that none of them believes to
// be us. `not_found`: this process was not started by a supervisor.
Result<ChildEnd> take_child_end();

}  // namespace heddle::supervise
