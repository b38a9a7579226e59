#include "base/process_memory.hpp"

#include <array>
#include <charconv>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <unistd.h>

#include "base/file_descriptor.hpp"

namespace heddle {

// Plain calls, because workers ask for every page.
std::int64_t resident_bytes(pid_t pid) {
  const FileDescriptor file(
      open(("/proc/" + std::to_string(pid) + "/statm").c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, 128> text{};
  const ssize_t size = file ? read(file.get(), text.data(), text.size()) : -1;
  if (size <= 0) return 0;
  const std::string_view words(text.data(), static_cast<std::size_t>(size));  // "total resident …"
  const std::size_t start = words.find(' ') + 1;
  std::int64_t pages = 0;
  std::from_chars(words.data() + start, words.data() + words.size(), pages);
  return pages * sysconf(_SC_PAGESIZE);
}

}  // namespace heddle
