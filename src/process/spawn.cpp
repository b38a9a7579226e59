#include "process/spawn.hpp"

#include <algorithm>
#include <cerrno>

#include <boost/asio/error.hpp>
#include <boost/asio/this_coro.hpp>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>

#include "process/descriptor_list.hpp"
#include "process/read_exit_status.hpp"
#include "process/readable.hpp"
#include "process/start_child.hpp"
#include "process/start_error.hpp"

namespace heddle::process {

namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

// execve() takes char* though it changes nothing.
std::vector<char*> as_c_strings(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

// A C string ends at the first zero byte: the rest would be lost silently.
bool has_zero_byte(const std::vector<std::string>& texts) {
  return std::any_of(texts.begin(), texts.end(),
                     [](const std::string& text) { return text.find('\0') != std::string::npos; });
}

// Then the kernel reaps children itself and their exit status is lost.
bool are_ends_discarded() {
  struct sigaction action {};
  sigaction(SIGCHLD, nullptr, &action);
  return action.sa_handler == SIG_IGN || (action.sa_flags & SA_NOCLDWAIT) != 0;
}

Status check(const SpawnSpec& spec) {
  if (spec.argv.empty() || spec.argv[0].empty())
    return Error{ErrorCode::bad_input, "no program given"};
  if (has_zero_byte(spec.argv) || has_zero_byte(spec.environment))
    return Error{ErrorCode::bad_input, spec.argv[0] + ": a zero byte in arguments or environment"};
  if (are_ends_discarded())
    return Error{ErrorCode::unavailable,
                 "SIGCHLD is ignored, so the end of a program would go unnoticed"};
  return Done{};
}

bool is_readable_within(int descriptor, std::chrono::milliseconds timeout) {
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  while (true) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    pollfd awaited{descriptor, POLLIN, 0};
    const int ready = poll(&awaited, 1, static_cast<int>(std::max(left, 0ms).count()));
    if (ready >= 0 || errno != EINTR) return ready > 0;
  }
}

}  // namespace

Spawned::Spawned(pid_t pid, FileDescriptor pidfd, ChildToken token)
    : pid_(pid), pidfd_(std::move(pidfd)), token_(token) {
  exit_status_.pid = pid;
}

Spawned::Spawned(Spawned&& other) noexcept
    : pid_(std::exchange(other.pid_, 0)),
      pidfd_(std::move(other.pidfd_)),
      token_(other.token_),
      exit_status_(other.exit_status_) {}

Spawned::~Spawned() {
  if (pid_ == 0) return;
  send_signal(SIGKILL);  // it may have left its group
  reap();
}

pid_t Spawned::pid() const {
  return exit_status_.pid;
}

bool Spawned::is_reaped() const {
  return pid_ == 0;
}

bool Spawned::send_signal(int signal) const {
  return pid_ != 0 && syscall(SYS_pidfd_send_signal, pidfd_.get(), signal, nullptr, 0) == 0;
}

// The pid is not reused before the process is reaped, even when it has ended.
bool Spawned::kill_group(int signal) const {
  return pid_ != 0 && kill(-pid_, signal) == 0;
}

void Spawned::reap() {
  kill_group(SIGKILL);
  exit_status_ = reap_child(pid_);
  remove_own_child(pid_, token_);
  pid_ = 0;
  pidfd_.reset();
}

Async<ExitStatus> Spawned::wait() {
  if (!is_reaped()) {
    Readable end(co_await asio::this_coro::executor, pidfd_.get());
    const bool has_ended = co_await end.wait();
    if (!has_ended) throw boost::system::system_error(asio::error::operation_aborted);
  }
  if (!is_reaped()) reap();
  co_return exit_status_;
}

std::optional<ExitStatus> Spawned::wait_at_most(std::chrono::milliseconds timeout) {
  if (!is_reaped() && !is_readable_within(pidfd_.get(), timeout)) return std::nullopt;
  if (!is_reaped()) reap();
  return exit_status_;
}

Result<Spawned> spawn(const SpawnSpec& spec) {
  if (auto checked = check(spec); !checked) return std::move(checked.error());
  auto descriptors = DescriptorList::make(spec.descriptors);
  if (!descriptors) return std::move(descriptors.error()).during(spec.argv[0]);

  const auto argv = as_c_strings(spec.argv);
  const auto environment = as_c_strings(spec.environment);
  DescriptorPlan moves = descriptors->plan();
  ChildPlan plan;
  plan.file = spec.argv[0].c_str();
  plan.argv = argv.data();
  plan.environment = environment.data();
  plan.directory = spec.directory.empty() ? nullptr : spec.directory.c_str();
  plan.descriptors = &moves;
  plan.descriptor_limit = spec.descriptor_limit;
  plan.cgroup_entrance = spec.cgroup_entrance;
  ChildStartScope starting;
  const ChildStart start = start_child(plan);
  if (!start.succeeded()) return start_error(start, spec);
  return Spawned(start.pid, FileDescriptor(start.pidfd), starting.add(start.pid));
}

}  // namespace heddle::process
