#include "commands/service_work.hpp"

#include <algorithm>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <fmt/format.h>

#include "base/pause.hpp"
#include "base/quantity.hpp"
#include "base/rethrow_bug.hpp"
#include "commands/ready_probe.hpp"
#include "commands/start_claims.hpp"

namespace heddle::commands {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::milliseconds kMinReadyAfter{100};
constexpr std::chrono::milliseconds kProbeTimeout{2000};
constexpr std::chrono::milliseconds kProbeInterval{250};

}  // namespace

ServiceWork::ServiceWork(RunParts parts, const Job& job, RunId run,
                         std::vector<ProcessRecord> before, std::function<void()> on_ready)
    : parts_(std::move(parts)),
      job_(job),
      run_(std::move(run)),
      before_(std::move(before)),
      plan_(service_rules(job)),
      on_ready_(std::move(on_ready)),
      chance_(std::random_device{}()) {}

Async<Result<ExecutionResult>> ServiceWork::work(std::function<void()> on_started) {
  const auto self = shared_from_this();
  on_started_ = std::move(on_started);
  int attempt = 0;
  for (const ProcessRecord& process : before_) attempt = std::max(attempt, process.attempt);
  while (!halt_) {
    auto record = co_await run_once(++attempt);
    if (!record) co_return std::move(record).error();
    last_exit_ = record->exit;
    if (halt_) break;
    const double chance = std::uniform_real_distribution<double>(0, 1)(chance_);
    const bool has_succeeded = record->state == ProcessState::succeeded;
    const auto next = plan_.ended(has_succeeded, std::chrono::steady_clock::now(), chance);
    const std::string how = record->problem.empty() ? describe(record->exit) : record->problem;
    ExecutionResult result;
    result.outcome.exit = record->exit;
    if (next.then == ServicePlan::Then::complete) co_return result;
    if (next.then == ServicePlan::Then::give_up) {
      result.outcome.state = RunState::failed;
      result.outcome.reason = ErrorKind::gave_up;
      result.outcome.message = fmt::format("not restarted any more after {} in {}; last exit: {}",
                                           counted(job_.program.max_restarts, "restart"),
                                           to_short_text(job_.program.restart_window), how);
      co_return result;
    }
    parts_.log.warn(fmt::format("service '{}' ended ({}), restarted in {}", job_.name, how,
                                to_short_text(next.pause)),
                    {.job = job_.id.text});
    co_await wait(next.pause);
  }
  co_return ended();
}

ExecutionResult ServiceWork::ended() const {
  ExecutionResult result;
  result.outcome.exit = last_exit_;
  if (halt_ == Halt::pause) result.end = ExecutionEnd::paused;
  if (halt_ == Halt::shut_down) result.end = ExecutionEnd::interrupted;
  result.outcome.state = halt_ == Halt::cancel ? RunState::cancelled : RunState::stopped;
  return result;
}

Async<void> ServiceWork::wait(std::chrono::milliseconds pause) {
  const Deadline deadline = std::chrono::steady_clock::now() + pause;
  while (!halt_ && std::chrono::steady_clock::now() < deadline) co_await changed_.wait(deadline);
}

Async<Result<ProcessRecord>> ServiceWork::run_once(int attempt) {
  ProcessRecord record;
  record.run = run_;
  record.attempt = attempt;
  record.started_at = parts_.clock.now();
  ProcessRecord intent = record;
  auto intended = co_await parts_.journal.record_process(std::move(intent));
  if (!intended) co_return std::move(intended).error();
  auto launch_spec = launch_spec_of(attempt);
  auto started = co_await SupervisedProcess::start(std::move(launch_spec), parts_.launch_context);
  if (started) {
    program_ = std::move(*started);
    co_await await_exit(record);
    program_.reset();
  } else {
    record.state = ProcessState::failed;
    record.problem = started.error().message;
  }
  record.ended_at = parts_.clock.now();
  while (is_recording_progress_) co_await changed_.wait();
  ProcessRecord end = record;
  auto noted = co_await parts_.journal.record_process(std::move(end));
  if (!noted) co_return std::move(noted).error();
  co_return record;
}

Async<void> ServiceWork::await_exit(ProcessRecord& record) {
  const auto program = program_;
  record.pid = program->pid();
  is_ready_ = false;
  if (halt_) end_program();  // requested during the start
  asio::co_spawn(parts_.loop, watch_readiness(shared_from_this(), program, record), rethrow_bug);
  const ProcessResult done = co_await program->wait();
  record.is_ready = is_ready_;
  record.exit = done.exit;
  record.peak_memory_bytes = done.peak_memory_bytes;
  record.cpu_time = done.cpu_time;
  if (halt_)
    record.state = ProcessState::stopped;
  else
    record.state = done.has_succeeded() ? ProcessState::succeeded : ProcessState::failed;
}

// Stops when this program is no longer the current one.
Async<void> ServiceWork::watch_readiness(std::shared_ptr<ServiceWork> self,
                                         std::shared_ptr<SupervisedProcess> program,
                                         ProcessRecord record) {
  const auto is_current = [&self, &program] { return self->program_ == program; };
  ProcessRecord started = record;
  co_await self->record_progress(std::move(started));
  // A program that exits immediately is never ready, even without a check.
  co_await pause_for(std::max(self->job_.program.ready_after, kMinReadyAfter));
  bool is_ready = self->job_.program.ready_check.empty();
  while (!is_ready && is_current()) {
    std::string address = self->job_.program.ready_check;
    is_ready = co_await probe_address(std::move(address), kProbeTimeout);
    if (!is_ready) co_await pause_for(kProbeInterval);
  }
  if (!is_current() || self->halt_) co_return;
  self->is_ready_ = true;
  record.is_ready = true;
  if (self->on_ready_) self->on_ready_();
  co_await self->record_progress(std::move(record));
  self->parts_.log.info(fmt::format("service '{}' is ready", self->job_.name),
                        {.job = self->job_.id.text});
  if (const auto begun = std::exchange(self->on_started_, nullptr)) begun();
}

// run_once() waits for this write before it records the exit, so that the order is kept.
Async<void> ServiceWork::record_progress(ProcessRecord record) {
  is_recording_progress_ = true;
  OutputTag tag = process_tag(job_.id, run_, record.index, record.attempt);
  const auto noted = co_await parts_.journal.record_process(std::move(record));
  if (!noted) parts_.log.error(noted.error().message);
  co_await remove_start_claim(parts_.launch_context, std::move(tag));
  is_recording_progress_ = false;
  changed_.notify();
}

LaunchSpec ServiceWork::launch_spec_of(int attempt) const {
  LaunchSpec launch_spec;
  launch_spec.line = job_.program.line;
  launch_spec.environment =
      process_environment_of(job_.program, nullptr, parts_.launch_context.daemon_environment);
  launch_spec.tag = process_tag(job_.id, run_, 0, attempt);
  Variables& variables = launch_spec.environment.variables;
  variables["HEDDLE_JOB"] = job_.id.text;
  variables["HEDDLE_RUN_ID"] = run_.text;
  variables["HEDDLE_ATTEMPT"] = std::to_string(attempt);
  return launch_spec;
}

void ServiceWork::end_program() {
  if (program_ == nullptr) return;
  if (is_forced_)
    program_->kill();
  else
    program_->request_stop(job_.program.stop_signal, job_.stop_timeout);
}

void ServiceWork::halt(Halt how) {
  if (how == Halt::force) return force();
  if (halt_ && *halt_ != Halt::pause) return;
  halt_ = how;
  end_program();
  changed_.notify();
}

void ServiceWork::force() {
  is_forced_ = true;
  if (!halt_ || halt_ == Halt::pause) halt_ = Halt::stop;
  end_program();
  changed_.notify();
}

}  // namespace heddle::commands
