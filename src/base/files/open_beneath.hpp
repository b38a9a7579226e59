// Opens a path below an open folder and refuses paths that lead outside.
#pragma once

#include <string>

#include <sys/types.h>

#include "base/file_descriptor.hpp"

namespace heddle {

struct Opened {
  FileDescriptor file;
  int error = 0;  // errno when `file` is empty; EXDEV: the path leads outside
};

// Relative links that stay below `root` are followed; absolute ones, and links of /proc, are not.
Opened open_beneath(int root, const std::string& path, int flags, mode_t mode = 0);

// The same for kernels without openat2 (before 5.6, or hidden by a filter): opens one
// folder after the other and follows no links.
Opened open_beneath_stepwise(int root, const std::string& path, int flags, mode_t mode = 0);

}  // namespace heddle
