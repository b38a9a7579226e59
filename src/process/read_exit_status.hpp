// Converts the kernel's report about an ended process to an ExitStatus.
#pragma once

#include <sys/resource.h>

#include "process/exit_status.hpp"

namespace heddle::process {

ExitStatus to_exit_status(pid_t pid, int wait_status, const rusage& usage);

// Blocks until this child has ended and reaps it.
ExitStatus reap_child(pid_t pid);

}  // namespace heddle::process
