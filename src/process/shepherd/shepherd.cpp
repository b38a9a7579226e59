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

constexpr std::int64_t kFirstLookMs = 5;
constexpr std::int64_t kSlowestLookMs = 200;  // at a process that even SIGKILL does not end at once

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
  let_go_of_the_programs_things();
  while (true) {
    reap_ended();
    if (!has_descendants_) return EXIT_SUCCESS;
    if (leftovers_end_ms_ >= 0 && now_ms() >= leftovers_end_ms_) begin_killing();
    if (is_killing_ && now_ms() >= next_look_ms_) kill_all_now();
    wait_for_news();
  }
}

// With every signal blocked none ends us by accident, and those that matter are read in turn.
// Until the parent-death signal is replaced the owner's end kills us, which is right as long as we
// have started nothing.
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
  return signals_ >= 0;
}

bool Shepherd::start_program() {
  ChildPlan plan;
  plan.file = setup_.program[0];
  plan.argv = setup_.program;
  plan.environment = setup_.environment;
  plan.has_own_session = true;
  const ChildStart start = start_child(plan);
  Report report;
  report.kind = start.succeeded() ? ReportKind::started : ReportKind::not_started;
  report.pid = start.pid;
  report.failed_step = static_cast<std::int32_t>(start.failed_step);
  report.error = start.error;
  send(report);
  program_ = start.succeeded() ? start.pid : 0;
  return start.succeeded();
}

// The program's pipes must end when it closes them, and its folder is not ours to keep busy.
void Shepherd::let_go_of_the_programs_things() const {
  unsigned first = 0;
  for (const int kept : {std::min(control_, signals_), std::max(control_, signals_)}) {
    if (kept < 0) continue;
    const auto number = static_cast<unsigned>(kept);
    if (number > first) close_range(first, number - 1, 0);
    first = number + 1;
  }
  close_range(first, UINT_MAX, 0);
  if (chdir("/") != 0) return;  // then it stays busy
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

// The verdict goes out at once, whatever the program left behind.
void Shepherd::reap_program() {
  const bool has_grace = setup_.leftover_grace_ms > 0 && !is_killing_;
  if (!has_grace) kill(-program_, SIGKILL);  // its group's number is still ours
  int status = 0;
  rusage usage{};
  wait4(program_, &status, 0, &usage);
  Report report;
  report.kind = ReportKind::ended;
  report.pid = program_;
  report.wait_status = status;
  report.user_microseconds = to_microseconds(usage.ru_utime);
  report.system_microseconds = to_microseconds(usage.ru_stime);
  report.peak_memory_kilobytes = usage.ru_maxrss;
  program_ = 0;
  send(report);
  leftovers_end_ms_ = now_ms() + (has_grace ? setup_.leftover_grace_ms : 0);
}

void Shepherd::begin_killing() {
  if (is_killing_) return;
  is_killing_ = true;
  look_interval_ms_ = kFirstLookMs;
  next_look_ms_ = 0;
}

// Again and again, because a process may have been forked meanwhile; faster while that happens.
void Shepherd::kill_all_now() {
  if (program_ != 0) kill(-program_, SIGKILL);
  const ProcessTree tree(getpid());
  tree.send_signal(SIGKILL);
  const bool has_new_ones = tree.newest_start() > newest_start_;
  newest_start_ = tree.newest_start();
  look_interval_ms_ = has_new_ones ? kFirstLookMs : std::min(look_interval_ms_ * 2, kSlowestLookMs);
  next_look_ms_ = now_ms() + look_interval_ms_;
}

void Shepherd::wait_for_news() {
  pollfd news[2] = {{signals_, POLLIN, 0}, {control_, POLLIN, 0}};
  if (poll(news, 2, milliseconds_to_wait()) <= 0) return;
  if (news[0].revents != 0) read_signals();
  if (news[1].revents != 0) read_orders();
}

int Shepherd::milliseconds_to_wait() const {
  if (!is_killing_ && leftovers_end_ms_ < 0) return -1;
  const std::int64_t next = is_killing_ ? next_look_ms_ : leftovers_end_ms_;
  return static_cast<int>(std::clamp<std::int64_t>(next - now_ms(), 0, INT_MAX));
}

// A stranger may send these signals, too: they only make us look.
void Shepherd::read_signals() {
  signalfd_siginfo ignored[8];
  while (read(signals_, ignored, sizeof ignored) > 0) {
  }
  if (getppid() != owner_) lose_owner();
}

void Shepherd::read_orders() {
  while (control_ >= 0) {
    Order order;
    const ssize_t size = recv(control_, &order, sizeof order, MSG_DONTWAIT);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && errno == EAGAIN) return;
    if (size <= 0) return lose_owner();
    if (size == sizeof order && order.version == kVersion) obey(order);
  }
}

void Shepherd::obey(const Order& order) {
  if (order.kind == OrderKind::kill_tree) begin_killing();
  // One look only: what a handler of that signal starts is its own affair.
  if (order.kind == OrderKind::signal_tree) ProcessTree(getpid()).send_signal(order.signal);
}

void Shepherd::lose_owner() {
  if (control_ >= 0) close(control_);
  control_ = -1;
  begin_killing();
}

void Shepherd::send(const Report& report) {
  if (control_ < 0) return;
  while (::send(control_, &report, sizeof report, MSG_NOSIGNAL) < 0) {
    if (errno == EINTR) continue;
    return lose_owner();
  }
}

}  // namespace heddle::process::shepherd
