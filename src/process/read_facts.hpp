// Turns what the kernel says about an ended process into ExitFacts.
#pragma once

#include <sys/resource.h>

#include "process/exit_facts.hpp"

namespace heddle::process {

ExitFacts read_facts(pid_t pid, int wait_status, const rusage& usage);

// Waits for the end of this child of ours, blocking, and reaps it.
ExitFacts reap_with_facts(pid_t pid);

}  // namespace heddle::process
