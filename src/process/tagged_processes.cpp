#include "process/tagged_processes.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <filesystem>

#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>

#include "base/file_descriptor.hpp"

namespace heddle::process {

namespace {

constexpr int kMaxRounds = 200;
constexpr useconds_t kBetweenRounds = 2'000;  // microseconds

// Empty for processes of others, kernel threads and zombies.
std::string read_environment(const std::string& pid) {
  const FileDescriptor file(open(("/proc/" + pid + "/environ").c_str(), O_RDONLY | O_CLOEXEC));
  std::string text;
  std::array<char, 4096> piece{};
  while (file) {
    const ssize_t size = read(file.get(), piece.data(), piece.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) break;
    text.append(piece.data(), static_cast<std::size_t>(size));
  }
  return text;
}

bool has_variable(const std::string& environment, const std::string& variable) {
  const std::string wanted = variable + '\0';
  return environment.starts_with(wanted) || environment.find('\0' + wanted) != std::string::npos;
}

// The descriptor is opened first, so that what is asked about it cannot change.
bool kill_if_tagged(const std::string& pid, const std::string& variable) {
  int number = 0;
  std::from_chars(pid.data(), pid.data() + pid.size(), number);
  const FileDescriptor process(static_cast<int>(syscall(SYS_pidfd_open, number, 0)));
  if (!process || !has_variable(read_environment(pid), variable)) return false;
  return syscall(SYS_pidfd_send_signal, process.get(), SIGKILL, nullptr, 0) == 0;
}

int kill_round(const std::string& variable) {
  int killed = 0;
  std::error_code failed;
  for (std::filesystem::directory_iterator entry("/proc", failed), end; !failed && entry != end;
       entry.increment(failed)) {
    const std::string name = entry->path().filename().string();
    if (name.find_first_not_of("0123456789") == std::string::npos)
      killed += kill_if_tagged(name, variable) ? 1 : 0;
  }
  return killed;
}

}  // namespace

bool kill_tagged_processes(const std::string& variable) {
  for (int round = 0; round < kMaxRounds; ++round) {
    if (kill_round(variable) == 0) return true;
    usleep(kBetweenRounds);
  }
  return false;
}

}  // namespace heddle::process
