// Reads the resident memory of a process.
#pragma once

#include <cstdint>

#include <sys/types.h>

namespace heddle {

// 0 when there is no such process.
std::int64_t resident_bytes(pid_t pid);

}  // namespace heddle
