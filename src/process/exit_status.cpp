#include "process/exit_status.hpp"

#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>

#include "process/read_exit_status.hpp"

namespace heddle::process {

namespace {

std::chrono::microseconds to_microseconds(const timeval& time) {
  return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
}

}  // namespace

ExitStatus to_exit_status(pid_t pid, int wait_status, const rusage& usage) {
  ExitStatus exit_status;
  exit_status.pid = pid;
  if (WIFEXITED(wait_status)) {
    exit_status.exit_code = WEXITSTATUS(wait_status);
  } else {
    exit_status.signal = WTERMSIG(wait_status);
    exit_status.dumped_core = WCOREDUMP(wait_status);
  }
  exit_status.user_time = to_microseconds(usage.ru_utime);
  exit_status.system_time = to_microseconds(usage.ru_stime);
  exit_status.peak_memory_bytes = static_cast<std::int64_t>(usage.ru_maxrss) * 1024;
  return exit_status;
}

ExitStatus reap_child(pid_t pid) {
  int status = 0;
  rusage usage{};
  pid_t reaped = 0;
  do {
    reaped = wait4(pid, &status, 0, &usage);
  } while (reaped < 0 && errno == EINTR);
  if (reaped != pid) return {.pid = pid};  // other code reaped it: its status is lost
  return to_exit_status(pid, status, usage);
}

std::string describe(const ExitStatus& exit_status) {
  if (exit_status.exit_code) return fmt::format("exit code {}", *exit_status.exit_code);
  if (!exit_status.signal)
    return "its exit status is unknown: another part of this program has collected it";
  const int number = *exit_status.signal;
  const char* name = sigdescr_np(number);
  return fmt::format("killed by signal {} ({}){}", number, name == nullptr ? "unknown" : name,
                     exit_status.dumped_core ? " (core dumped)" : "");
}

}  // namespace heddle::process
