// Opens a path below a folder that is already open; nothing in the path leads outside of it.
#pragma once

#include <string>

#include <sys/types.h>

#include "base/file_descriptor.hpp"

namespace heddle {

struct Opened {
  FileDescriptor file;
  int error = 0;  // errno when there is no file; EXDEV: it would have led outside
};

// Relative links that stay below `root` are followed; absolute ones, and links of /proc, are not.
Opened open_beneath(int root, const std::string& path, int flags, mode_t mode = 0);

// The same for kernels without openat2 (before 5.6, or hidden by a filter): one folder after the
// other, and no links at all.
Opened open_beneath_by_hand(int root, const std::string& path, int flags, mode_t mode = 0);

}  // namespace heddle
