// Takes the child's endpoint of its link to the supervisor from the environment.
#pragma once

#include <chrono>

#include "base/file_descriptor.hpp"
#include "base/result.hpp"
#include "supervise/child/child_page.hpp"
#include "supervise/child/control_frames.hpp"

namespace heddle::supervise {

struct ChildEndpoint {
  FileDescriptor socket;
  ChildPage page;
  ChildAssignment assignment;  // empty in a spare that waits for it
  bool is_spare = false;
  std::chrono::milliseconds heartbeat{1000};
};

// Call it once per process, before other threads start. Takes ownership of the descriptors, marks
// them close-on-exec and removes the variables, so that started programs do not use this link.
// `not_found`: this process was not started by a supervisor.
Result<ChildEndpoint> take_child_endpoint();

}  // namespace heddle::supervise
