#include "process/start_child.hpp"

#include <cerrno>
#include <climits>
#include <cstdint>

#include <fcntl.h>
#include <linux/close_range.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// The child runs on this process's memory until it executes its program, so sanitizers must not
// see what it does: they would attribute it to this process. The bare system calls avoid their
// interceptors.
#define HEDDLE_RUNS_IN_CHILD __attribute__((no_sanitize_address, no_sanitize_thread))

// libc's own name for clone(): the thread sanitizer wraps the other one as a fork, which this is
// not.
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): as libc has it
extern "C" int __clone(int (*run)(void*), void* stack_top, int flags, void* argument, ...);

namespace heddle::process {

namespace {

constexpr int kCloneFlags = CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD;
constexpr std::size_t kStackBytes = 32UL * 1024;
constexpr int kFailedToStart = 127;  // as in shells
constexpr int kLastSignal = 64;

// The kernel's own layouts, because libc's calls skip the signals it reserves.
using SignalMask = std::uint64_t;
struct KernelSigaction {
  std::uintptr_t handler = 0;  // SIG_DFL
  unsigned long flags = 0;
  std::uintptr_t restorer = 0;
  SignalMask mask = 0;
};

struct KernelLimit {
  std::uint64_t soft = 0;
  std::uint64_t hard = 0;
};

struct SharedStart {
  const ChildPlan& plan;
  pid_t parent = 0;
  StartStep failed_step = StartStep::none;
  int error = 0;
};

HEDDLE_RUNS_IN_CHILD SignalMask set_signal_mask(SignalMask wanted) {
  SignalMask before = 0;
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &wanted, &before, sizeof(SignalMask));
  return before;
}

// Handlers first: a handler that ran here would change the parent's memory.
HEDDLE_RUNS_IN_CHILD void reset_signals() {
  const KernelSigaction by_default;
  for (int signal = 1; signal <= kLastSignal; ++signal)
    syscall(SYS_rt_sigaction, signal, &by_default, nullptr, sizeof(SignalMask));
  set_signal_mask(0);
}

HEDDLE_RUNS_IN_CHILD bool leave_group(bool own_session) {
  return syscall(own_session ? SYS_setsid : SYS_setpgid, 0, 0) >= 0;
}

// The kernel sends no signal for a parent that died before PR_SET_PDEATHSIG.
HEDDLE_RUNS_IN_CHILD bool die_with_parent(pid_t parent) {
  if (syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) return false;
  errno = ESRCH;
  return syscall(SYS_getppid) == parent;
}

HEDDLE_RUNS_IN_CHILD bool close_between(unsigned first, unsigned last) {
  return first > last || syscall(SYS_close_range, first, last, 0) == 0;
}

HEDDLE_RUNS_IN_CHILD bool close_all_but(const int* kept, std::size_t count) {
  unsigned first = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto number = static_cast<unsigned>(kept[i]);
    if (number > 0 && !close_between(first, number - 1)) return false;
    first = number + 1;
  }
  return close_between(first, UINT_MAX);
}

// open() returns the lowest free number, so in ascending order it is the missing stream.
HEDDLE_RUNS_IN_CHILD bool fill_standard_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    if (syscall(SYS_fcntl, stream, F_GETFD) >= 0) continue;
    if (syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDWR) != stream) return false;
  }
  return true;
}

// Moves every source above all targets before the first target is overwritten. Closing the others
// first frees numbers even when this process has reached its limit.
HEDDLE_RUNS_IN_CHILD bool renumber(DescriptorPlan& plan) {
  if (!close_all_but(plan.sources, plan.source_count)) return false;
  const int above_targets = plan.targets[plan.target_count - 1] + 1;
  for (std::size_t i = 0; i < plan.move_count; ++i) {
    DescriptorMove& move = plan.moves[i];
    move.parked = static_cast<int>(syscall(SYS_fcntl, move.from, F_DUPFD, above_targets));
    if (move.parked < 0) return false;
  }
  close_between(0, static_cast<unsigned>(above_targets) - 1);
  for (std::size_t i = 0; i < plan.move_count; ++i)
    if (syscall(SYS_dup3, plan.moves[i].parked, plan.moves[i].to, 0) < 0) return false;
  return fill_standard_streams() && close_all_but(plan.targets, plan.target_count);
}

// Descriptors above the limit stay open.
HEDDLE_RUNS_IN_CHILD bool limit_descriptors(std::uint64_t most) {
  KernelLimit limit;
  if (syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, nullptr, &limit) != 0) return false;
  limit.soft = most < limit.hard ? most : limit.hard;
  return syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, &limit, nullptr) == 0;
}

HEDDLE_RUNS_IN_CHILD StartStep prepare(const SharedStart& start) {
  const ChildPlan& plan = start.plan;
  reset_signals();
  if (!leave_group(plan.has_own_session)) return StartStep::group;
  if (!die_with_parent(start.parent)) return StartStep::parent_death;
  // Other ways to kill the tree remain when it cannot join.
  if (plan.cgroup_entrance >= 0) syscall(SYS_write, plan.cgroup_entrance, "0", 1);
  if (plan.descriptors != nullptr && !renumber(*plan.descriptors)) return StartStep::descriptors;
  if (plan.descriptor_limit != 0 && !limit_descriptors(plan.descriptor_limit))
    return StartStep::descriptors;
  if (plan.directory != nullptr && syscall(SYS_chdir, plan.directory) != 0)
    return StartStep::directory;
  return StartStep::none;
}

HEDDLE_RUNS_IN_CHILD int run_child(void* shared) {
  auto& start = *static_cast<SharedStart*>(shared);
  start.failed_step = prepare(start);
  if (start.failed_step == StartStep::none) {
    syscall(SYS_execve, start.plan.file, start.plan.argv, start.plan.environment);
    start.failed_step = StartStep::execute;
  }
  start.error = errno;
  syscall(SYS_exit_group, kFailedToStart);
  __builtin_unreachable();
}

void reap_failed(int pidfd) {
  siginfo_t info;
  while (waitid(P_PIDFD, static_cast<id_t>(pidfd), &info, WEXITED) != 0 && errno == EINTR) {
  }
  close(pidfd);
}

}  // namespace

// CLONE_VFORK suspends this thread until the child has executed or exited: no caller sees the child
// before it is in its own group, its stack may lie in this frame, and `start` is complete.
ChildStart start_child(const ChildPlan& plan) {
  alignas(16) char stack[kStackBytes];
  SharedStart start{plan, getpid()};
  ChildStart result;
  const SignalMask before = set_signal_mask(~SignalMask{0});
  result.pid = __clone(run_child, stack + sizeof stack, kCloneFlags, &start, &result.pidfd);
  const int clone_error = errno;
  set_signal_mask(before);
  if (result.pid < 0) return {-1, -1, StartStep::clone, clone_error};
  if (start.failed_step == StartStep::none) return result;
  reap_failed(result.pidfd);
  return {-1, -1, start.failed_step, start.error};
}

}  // namespace heddle::process
