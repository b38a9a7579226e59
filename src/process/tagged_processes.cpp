#include "process/tagged_processes.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <filesystem>

#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>

#include "base/file_descriptor.hpp"
#include "base/text.hpp"

namespace heddle::process {

namespace {

constexpr int kMaxRounds = 200;
constexpr useconds_t kRoundInterval = 2'000;  // microseconds

// Fields of stat, counted from the state, which follows the name.
constexpr std::size_t kMemorySize = 20;  // 0 for zombies and threads of the kernel
constexpr std::size_t kEnvironmentEnd = 48;

enum class KillOutcome { not_tagged, killed, undecided };

std::string read_all(const FileDescriptor& file) {
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

FileDescriptor open_process_file(const std::string& pid, const char* name) {
  return FileDescriptor(open(("/proc/" + pid + "/" + name).c_str(), O_RDONLY | O_CLOEXEC));
}

bool has_variable(const std::string& environment, const std::string& variable) {
  const std::string wanted = variable + '\0';
  return environment.starts_with(wanted) || environment.find('\0' + wanted) != std::string::npos;
}

// During exec a process has its new memory but no environment in it yet.
bool is_executing(const std::string& pid) {
  const std::string text = read_all(open_process_file(pid, "stat"));
  const auto name_end = text.rfind(") ");
  if (name_end == std::string::npos) return false;
  const auto fields = split(std::string_view(text).substr(name_end + 2), ' ');
  return fields.size() > kEnvironmentEnd && fields[kMemorySize] != "0" &&
         fields[kEnvironmentEnd] == "0";
}

// Opens the pidfd first, so that the pid cannot be reused between the check and the kill.
KillOutcome kill_if_tagged(const std::string& pid, const std::string& variable) {
  int number = 0;
  std::from_chars(pid.data(), pid.data() + pid.size(), number);
  const FileDescriptor process(static_cast<int>(syscall(SYS_pidfd_open, number, 0)));
  const FileDescriptor environ_file = open_process_file(pid, "environ");  // not of other users
  if (!process || !environ_file) return KillOutcome::not_tagged;
  const std::string environment = read_all(environ_file);
  if (environment.empty())
    return is_executing(pid) ? KillOutcome::undecided : KillOutcome::not_tagged;
  if (!has_variable(environment, variable)) return KillOutcome::not_tagged;
  const bool killed = syscall(SYS_pidfd_send_signal, process.get(), SIGKILL, nullptr, 0) == 0;
  return killed ? KillOutcome::killed : KillOutcome::not_tagged;
}

bool kill_remaining(const std::string& variable) {
  bool any_found = false;
  std::error_code failed;
  for (std::filesystem::directory_iterator entry("/proc", failed), end; !failed && entry != end;
       entry.increment(failed)) {
    const std::string name = entry->path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    if (kill_if_tagged(name, variable) != KillOutcome::not_tagged) any_found = true;
  }
  return any_found;
}

}  // namespace

bool kill_tagged_processes(const std::string& variable) {
  for (int round = 0; round < kMaxRounds; ++round) {
    if (!kill_remaining(variable)) return true;
    usleep(kRoundInterval);
  }
  return false;
}

}  // namespace heddle::process
