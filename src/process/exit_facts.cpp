#include "process/exit_facts.hpp"

#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>

#include "process/read_facts.hpp"

namespace heddle::process {

namespace {

std::chrono::microseconds to_microseconds(const timeval& time) {
  return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
}

}  // namespace

ExitFacts read_facts(pid_t pid, int wait_status, const rusage& usage) {
  ExitFacts facts;
  facts.pid = pid;
  if (WIFEXITED(wait_status)) {
    facts.exit_code = WEXITSTATUS(wait_status);
  } else {
    facts.signal = WTERMSIG(wait_status);
    facts.dumped_core = WCOREDUMP(wait_status);
  }
  facts.user_time = to_microseconds(usage.ru_utime);
  facts.system_time = to_microseconds(usage.ru_stime);
  facts.peak_memory_bytes = static_cast<std::int64_t>(usage.ru_maxrss) * 1024;
  return facts;
}

ExitFacts reap_with_facts(pid_t pid) {
  int status = 0;
  rusage usage{};
  pid_t reaped = 0;
  do {
    reaped = wait4(pid, &status, 0, &usage);
  } while (reaped < 0 && errno == EINTR);
  if (reaped != pid) return {.pid = pid};  // somebody else took it: it is gone, no more is known
  return read_facts(pid, status, usage);
}

std::string describe(const ExitFacts& facts) {
  if (facts.exit_code) return fmt::format("exit code {}", *facts.exit_code);
  if (!facts.signal) return "its status is not known: something else in this program has taken it";
  const int number = *facts.signal;
  const char* name = sigdescr_np(number);
  return fmt::format("killed by signal {} ({}){}", number, name == nullptr ? "unknown" : name,
                     facts.dumped_core ? " (core dumped)" : "");
}

}  // namespace heddle::process
