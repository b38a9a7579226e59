#include "supervise/child/process_memory.hpp"

#include <fstream>
#include <string>

#include <unistd.h>

namespace heddle::supervise {

std::int64_t resident_bytes(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/statm");
  std::int64_t total_pages = 0;
  std::int64_t resident_pages = 0;
  file >> total_pages >> resident_pages;
  return file ? resident_pages * sysconf(_SC_PAGESIZE) : 0;
}

}  // namespace heddle::supervise
