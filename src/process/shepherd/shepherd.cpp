#include "process/shepherd/shepherd.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <ctime>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/shepherd/process_tree.hpp"
#include "process/start_child.hpp"

namespace heddle::process::shepherd {

namespace {

constexpr std::int64_t kMinScanIntervalMs = 5;
constexpr std::int64_t kMaxScanIntervalMs = 200;  // while a process survives SIGKILL

std::int64_t now_ms() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::int64_t>(time.tv_sec) * 1000 + time.tv_nsec / 1'000'000;
}

std::int64_t to_microseconds(const timeval& time) {
  return static_cast<std::int64_t>(time.tv_sec) * 1'000'000 + time.tv_usec;
}

void close_on_exec(int descriptor) {
  fcntl(descriptor, F_SETFD, FD_CLOEXEC);
}

}  // namespace

int Shepherd::run() {
  if (!prepare()) return EXIT_FAILURE;
  if (!start_program()) return EXIT_SUCCESS;
  release_program_resources();
  while (true) {
    reap_ended();
    if (!has_descendants_) return EXIT_SUCCESS;
    if (leftover_deadline_ms_ >= 0 && now_ms() >= leftover_deadline_ms_) begin_killing();
    if (is_killing_ && now_ms() >= next_scan_ms_) kill_all_now();
    wait_for_events();
  }
}

// All signals are blocked, so that none ends the shepherd; SIGCHLD and SIGUSR1 are read from a
// signalfd. Until the parent-death signal is replaced, the death of the owner kills the shepherd,
// which is right while nothing has been started.
bool Shepherd::prepare() {
  owner_ = getppid();
  sigset_t all;
  sigfillset(&all);
  if (pthread_sigmask(SIG_SETMASK, &all, nullptr) != 0) return false;
  if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0 || prctl(PR_SET_PDEATHSIG, SIGUSR1) != 0) return false;
  sigset_t awaited;
  sigemptyset(&awaited);
  sigaddset(&awaited, SIGCHLD);
  sigaddset(&awaited, SIGUSR1);
  signals_ = signalfd(-1, &awaited, SFD_CLOEXEC | SFD_NONBLOCK);
  close_on_exec(control_);
  if (setup_.claim >= 0) close_on_exec(setup_.claim);
  return signals_ >= 0;
}

// False also when the owner has closed its end of the socket.
bool Shepherd::has_owner() const {
  pollfd end{control_, 0, 0};
  return getppid() == owner_ && poll(&end, 1, 0) == 0;
}

// The claim is written between the execution of the program and everything else: the death of the
// owner does not end this process, so only a shepherd that is itself killed in these few
// microseconds leaves a claim that is wrong.
bool Shepherd::start_program() {
  if (!has_owner()) return false;
  ChildPlan plan;
  plan.file = setup_.program[0];
  plan.argv = setup_.program;
  plan.environment = setup_.environment;
  plan.has_own_session = true;
  const ChildStart start = start_child(plan);
  if (start.succeeded() && setup_.claim >= 0 && ftruncate(setup_.claim, 1) != 0) {
  }  // then the owner's own record must do
  ShepherdReport report;
  report.kind = start.succeeded() ? ShepherdReportKind::started : ShepherdReportKind::not_started;
  report.pid = start.pid;
  report.failed_step = static_cast<std::int32_t>(start.failed_step);
  report.error = start.error;
  send(report);
  program_ = start.succeeded() ? start.pid : 0;
  return start.succeeded();
}

// The program's pipes must end when it closes them, and its folder must be removable.
void Shepherd::release_program_resources() const {
  unsigned first = 0;
  for (const int kept : {std::min(control_, signals_), std::max(control_, signals_)}) {
    if (kept < 0) continue;
    const auto number = static_cast<unsigned>(kept);
    if (number > first) close_range(first, number - 1, 0);
    first = number + 1;
  }
  close_range(first, UINT_MAX, 0);
  if (chdir("/") != 0) return;  // then the folder stays in use
}

void Shepherd::reap_ended() {
  while (true) {
    siginfo_t info{};
    if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0) {
      has_descendants_ = errno != ECHILD;
      return;
    }
    if (info.si_pid == 0) return;
    if (info.si_pid == program_)
      reap_program();
    else
      waitid(P_PID, static_cast<id_t>(info.si_pid), &info, WEXITED);
  }
}

// Reports the exit before leftover processes are handled.
void Shepherd::reap_program() {
  const bool has_grace = setup_.leftover_grace_ms > 0 && !is_killing_;
  if (!has_grace) kill(-program_, SIGKILL);  // before the reap, while the group id is valid
  int status = 0;
  rusage usage{};
  wait4(program_, &status, 0, &usage);
  ShepherdReport report;
  report.kind = ShepherdReportKind::ended;
  report.pid = program_;
  report.wait_status = status;
  report.user_microseconds = to_microseconds(usage.ru_utime);
  report.system_microseconds = to_microseconds(usage.ru_stime);
  report.peak_memory_kilobytes = usage.ru_maxrss;
  program_ = 0;
  send(report);
  leftover_deadline_ms_ = now_ms() + (has_grace ? setup_.leftover_grace_ms : 0);
}

void Shepherd::begin_killing() {
  if (is_killing_) return;
  is_killing_ = true;
  scan_interval_ms_ = kMinScanIntervalMs;
  next_scan_ms_ = 0;
}

// Repeated, because processes may fork meanwhile; at the shortest interval while they do.
void Shepherd::kill_all_now() {
  if (program_ != 0) kill(-program_, SIGKILL);
  const ProcessTree tree(getpid());
  tree.send_signal(SIGKILL);
  const bool has_new_processes = tree.newest_start() > newest_start_;
  newest_start_ = tree.newest_start();
  scan_interval_ms_ =
      has_new_processes ? kMinScanIntervalMs : std::min(scan_interval_ms_ * 2, kMaxScanIntervalMs);
  next_scan_ms_ = now_ms() + scan_interval_ms_;
}

void Shepherd::wait_for_events() {
  pollfd events[2] = {{signals_, POLLIN, 0}, {control_, POLLIN, 0}};
  if (poll(events, 2, milliseconds_to_wait()) <= 0) return;
  if (events[0].revents != 0) read_signals();
  if (events[1].revents != 0) read_commands();
}

int Shepherd::milliseconds_to_wait() const {
  if (!is_killing_ && leftover_deadline_ms_ < 0) return -1;
  const std::int64_t next = is_killing_ ? next_scan_ms_ : leftover_deadline_ms_;
  return static_cast<int>(std::clamp<std::int64_t>(next - now_ms(), 0, INT_MAX));
}

// Any process may send these signals, so they only trigger a check.
void Shepherd::read_signals() {
  signalfd_siginfo ignored[8];
  while (read(signals_, ignored, sizeof ignored) > 0) {
  }
  if (getppid() != owner_) on_owner_lost();
}

void Shepherd::read_commands() {
  while (control_ >= 0) {
    ShepherdCommand command;
    const ssize_t size = recv(control_, &command, sizeof command, MSG_DONTWAIT);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && errno == EAGAIN) return;
    if (size <= 0) return on_owner_lost();
    if (size == sizeof command && command.version == kVersion) execute(command);
  }
}

void Shepherd::execute(const ShepherdCommand& command) {
  if (command.kind == ShepherdCommandKind::kill_tree) begin_killing();
  // One scan only: processes that a handler of the signal starts are not signalled.
  if (command.kind == ShepherdCommandKind::signal_tree)
    ProcessTree(getpid()).send_signal(command.signal);
}

void Shepherd::on_owner_lost() {
  if (control_ >= 0) close(control_);
  control_ = -1;
  begin_killing();
}

void Shepherd::send(const ShepherdReport& report) {
  if (control_ < 0) return;
  while (::send(control_, &report, sizeof report, MSG_NOSIGNAL) < 0) {
    if (errno == EINTR) continue;
    return on_owner_lost();
  }
}

}  // namespace heddle::process::shepherd
