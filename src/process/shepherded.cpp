#include "process/shepherded.hpp"

#include <algorithm>
#include <cerrno>
#include <functional>
#include <system_error>

#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <fmt/format.h>
#include <signal.h>
#include <sys/socket.h>

#include "base/ids.hpp"
#include "base/time.hpp"
#include "process/pipe.hpp"
#include "process/read_exit_status.hpp"
#include "process/readable.hpp"
#include "process/shepherd/process_tree.hpp"
#include "process/shepherd/protocol.hpp"
#include "process/start_error.hpp"
#include "process/tagged_processes.hpp"
#include "process/tree/inherited_processes.hpp"
#include "process/tree/start_claim.hpp"

namespace heddle::process {

namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using shepherd::ShepherdCommand;
using shepherd::ShepherdCommandKind;
using shepherd::ShepherdReport;
using shepherd::ShepherdReportKind;

constexpr auto kExitTimeout = 2s;
constexpr auto kWakeInterval = 1s;
constexpr auto kKillTimeout = 1s;  // a process may hang in the kernel
constexpr const char* kTagName = "HEDDLE_TREE=";

Result<Pipe> make_control() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    return Error{ErrorCode::unavailable, "socketpair: " + std::generic_category().message(errno)};
  return Pipe{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

bool is_handed(const SpawnSpec& program, int number) {
  return std::any_of(program.descriptors.begin(), program.descriptors.end(),
                     [number](const auto& handed) { return handed.number == number; });
}

// Adds a pipe as this stream unless the spec already has a descriptor for it.
Result<Pipe> add_stream(SpawnSpec& program, int number) {
  if (is_handed(program, number)) return Pipe{};
  auto pipe = make_output_pipe();
  if (pipe) program.descriptors.push_back({pipe->theirs.get(), number});
  return pipe;
}

// The shepherd is spawned instead of the program and starts it.
SpawnSpec wrap_in_shepherd(const ShepherdedSpec& spec, const std::string& tag, int control,
                           int claim) {
  SpawnSpec wrapped = spec.program;
  int number = STDERR_FILENO + 1;
  for (const auto& handed : spec.program.descriptors) number = std::max(number, handed.number + 1);
  wrapped.descriptors.push_back({control, number});
  const int claim_number = claim < 0 ? -1 : number + 1;
  if (claim >= 0) wrapped.descriptors.push_back({claim, claim_number});
  std::erase_if(wrapped.environment,
                [](const std::string& variable) { return variable.starts_with(kTagName); });
  wrapped.environment.push_back(tag);
  const std::vector<std::string> before{std::filesystem::absolute(spec.shepherd).string(),
                                        std::to_string(shepherd::kVersion), std::to_string(number),
                                        std::to_string(claim_number),
                                        std::to_string(spec.leftover_grace.count())};
  wrapped.argv.insert(wrapped.argv.begin(), before.begin(), before.end());
  return wrapped;
}

Status check(const ShepherdedSpec& spec) {
  if (spec.program.argv.empty()) return Error{ErrorCode::bad_input, "no program given"};
  // `not_found` would name the program as missing.
  if (access(spec.shepherd.c_str(), X_OK) != 0)
    return Error{ErrorCode::unavailable,
                 fmt::format("no shepherd at '{}'", spec.shepherd.string())};
  return Done{};
}

// Returns the next report, or nullopt when the shepherd is gone.
Async<std::optional<ShepherdReport>> receive(int control) {
  std::optional<Readable> readable;
  while (true) {
    ShepherdReport report;
    const ssize_t size = recv(control, &report, sizeof report, MSG_DONTWAIT);
    if (size == sizeof report && report.version == shepherd::kVersion) co_return report;
    if (size >= 0 || (errno != EAGAIN && errno != EINTR)) co_return std::nullopt;
    if (!readable) readable.emplace(co_await asio::this_coro::executor, control);
    const bool is_readable = co_await readable->wait();
    if (!is_readable) throw boost::system::system_error(asio::error::operation_aborted);
  }
}

ExitStatus exit_status_of(const ShepherdReport& report) {
  rusage usage{};
  usage.ru_maxrss = report.peak_memory_kilobytes;
  ExitStatus exit_status = to_exit_status(report.pid, report.wait_status, usage);
  exit_status.user_time = std::chrono::microseconds(report.user_microseconds);
  exit_status.system_time = std::chrono::microseconds(report.system_microseconds);
  return exit_status;
}

// Calls a function once per kWakeInterval until destruction.
class PeriodicCall {
 public:
  PeriodicCall(const asio::any_io_executor& loop, std::function<void()> call)
      : state_(std::make_shared<State>(loop, std::move(call))) {
    arm(state_);
  }
  ~PeriodicCall() {
    state_->is_over = true;
    state_->timer.cancel();
  }
  PeriodicCall(const PeriodicCall&) = delete;
  PeriodicCall& operator=(const PeriodicCall&) = delete;

 private:
  struct State {
    State(const asio::any_io_executor& loop, std::function<void()> call_in)
        : timer(loop), call(std::move(call_in)) {}
    asio::steady_timer timer;
    std::function<void()> call;
    bool is_over = false;
  };
  static void arm(const std::shared_ptr<State>& state) {
    state->timer.expires_after(kWakeInterval);
    state->timer.async_wait([state](boost::system::error_code cancelled) {
      if (cancelled || state->is_over) return;
      state->call();
      arm(state);
    });
  }

  std::shared_ptr<State> state_;
};

}  // namespace

Shepherded::Shepherded(Spawned shepherd, FileDescriptor control, std::string tag)
    : shepherd_(std::move(shepherd)), control_(std::move(control)), tag_(std::move(tag)) {}

Shepherded::~Shepherded() {
  if (shepherd_.is_reaped()) return;
  control_.reset();                // makes the shepherd kill the tree
  shepherd_.send_signal(SIGCONT);  // it may be stopped
  const auto end = shepherd_.wait_at_most(kExitTimeout);
  if (end && end->succeeded()) return;
  shepherd_.send_signal(SIGKILL);
  shepherd_.wait_at_most(kExitTimeout);  // what it leaves is inherited then
  leftover_killer()();
}

Async<Result<std::unique_ptr<Shepherded>>> Shepherded::start(ShepherdedSpec spec) {
  auto result = start_shepherd(spec);
  co_return co_await await_start(std::move(result), std::move(spec.program));
}

Async<Result<std::unique_ptr<Shepherded>>> Shepherded::start(ShepherdedSpec spec,
                                                             StartThread& thread) {
  std::optional<StartResult> result;
  std::function<void()> start = [&result, &spec] { result.emplace(start_shepherd(spec)); };
  co_await thread.call(std::move(start));
  if (*result) (**result)->thread_ = &thread;
  co_return co_await await_start(std::move(*result), std::move(spec.program));
}

Async<Shepherded::StartResult> Shepherded::await_start(StartResult result, SpawnSpec program) {
  if (!result) co_return std::move(result).error();
  const Status running = co_await (*result)->await_report(program);
  if (!running) co_return running.error();
  co_return std::move(*result);
}

Shepherded::StartResult Shepherded::start_shepherd(ShepherdedSpec& spec) {
  if (auto checked = check(spec); !checked) return std::move(checked.error());
  auto output = add_stream(spec.program, STDOUT_FILENO);
  if (!output) return std::move(output.error());
  auto errors = add_stream(spec.program, STDERR_FILENO);
  if (!errors) return std::move(errors.error());
  auto control = make_control();
  if (!control) return std::move(control.error());
  std::string tag = kTagName + make_unique_id(SystemClock().now());
  // Without a claim, for example on a full disk, the owner's own record must do.
  const FileDescriptor claim =
      spec.start_claim.empty() ? FileDescriptor() : open_start_claim(spec.start_claim);
  auto cgroup = spec.cgroup.empty() ? std::nullopt : ProgramCgroup::make(spec.cgroup);
  if (cgroup) spec.program.cgroup_entrance = cgroup->entrance();
  auto spawned = spawn(wrap_in_shepherd(spec, tag, control->theirs.get(), claim.get()));
  if (!spawned) return std::move(spawned.error());
  std::unique_ptr<Shepherded> started(
      new Shepherded(std::move(*spawned), std::move(control->ours), std::move(tag)));
  if (cgroup) {
    cgroup->close_entrance();
    started->cgroup_ = std::make_shared<const ProgramCgroup>(std::move(*cgroup));
  }
  started->kills_inherited_ = spec.kills_inherited;
  started->output_ = std::move(output->ours);
  started->errors_ = std::move(errors->ours);
  return started;
}

Async<Status> Shepherded::await_report(const SpawnSpec& program) {
  // The program may stop its shepherd before the shepherd has reported the start.
  const auto loop = co_await asio::this_coro::executor;
  const PeriodicCall waking(loop, [this] { wake(); });
  const auto report = co_await receive(control_.get());
  if (!report) co_return Error{ErrorCode::unavailable, program.argv[0] + ": its shepherd ended"};
  pid_ = report->pid;
  if (report->kind == ShepherdReportKind::started) co_return Done{};
  ChildStart failed;
  failed.failed_step = static_cast<StartStep>(report->failed_step);
  failed.error = report->error;
  co_return start_error(failed, program);
}

bool Shepherded::has_ended() const {
  if (exit_status_) return true;
  ShepherdReport report;  // or the end of the connection: the shepherd is gone
  const ssize_t size = recv(control_.get(), &report, sizeof report, MSG_DONTWAIT | MSG_PEEK);
  if (size >= 0) return true;
  shepherd::ProcessStat program;  // the shepherd may not have reaped it yet
  return shepherd::read_process(pid_, program) && program.state == 'Z';
}

bool Shepherded::signal(int signal) {
  const ShepherdCommand command{shepherd::kVersion, ShepherdCommandKind::signal_tree, signal};
  return send(control_.get(), &command, sizeof command, MSG_NOSIGNAL | MSG_DONTWAIT) ==
         sizeof command;
}

bool Shepherded::kill_tree() {
  shepherd_.send_signal(SIGCONT);  // it may be stopped
  const ShepherdCommand command{shepherd::kVersion, ShepherdCommandKind::kill_tree, SIGKILL};
  return send(control_.get(), &command, sizeof command, MSG_NOSIGNAL | MSG_DONTWAIT) ==
         sizeof command;
}

void Shepherded::wake() {
  shepherd_.send_signal(SIGCONT);
}

Async<ExitStatus> Shepherded::wait() {
  if (exit_status_) co_return *exit_status_;
  const auto report = co_await receive(control_.get());
  if (report) {
    exit_status_ = exit_status_of(*report);
    co_return *exit_status_;
  }
  // The shepherd was killed, and the kernel has killed the program with it.
  ExitStatus exit_status;
  exit_status.pid = pid_;
  exit_status.signal = SIGKILL;
  exit_status_ = exit_status;
  co_await wait_for_tree();
  co_return exit_status;
}

Async<void> Shepherded::wait_for_tree() {
  if (shepherd_.is_reaped()) co_return;
  const ExitStatus end = co_await shepherd_.wait();
  if (!end.succeeded()) co_await kill_leftovers();
}

// The tag also finds processes that another subreaper has inherited.
std::function<void()> Shepherded::leftover_killer() const {
  return [tag = tag_, cgroup = cgroup_, kills_inherited = kills_inherited_] {
    if (cgroup != nullptr) cgroup->kill();
    kill_tagged_processes(tag);
    if (kills_inherited) kill_inherited_processes(kKillTimeout);
  };
}

Async<void> Shepherded::kill_leftovers() {
  std::function<void()> kill = leftover_killer();
  if (thread_ == nullptr) co_return kill();
  co_await thread_->call(std::move(kill));
}

}  // namespace heddle::process
