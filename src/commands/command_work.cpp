#include "commands/command_work.hpp"

#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <fmt/format.h>

#include "base/quantity.hpp"
#include "base/rethrow_bug.hpp"
#include "commands/start_claims.hpp"

namespace heddle::commands {

namespace asio = boost::asio;

CommandWork::CommandWork(RunParts parts, const Job& job, RunId run,
                         std::vector<ProcessRecord> before)
    : parts_(std::move(parts)),
      job_(job),
      run_(std::move(run)),
      before_(std::move(before)),
      plan_(completion_rules(job)),
      chance_(std::random_device{}()) {}

Async<Result<ExecutionResult>> CommandWork::work(std::function<void()> on_started) {
  const auto self = shared_from_this();
  on_started_ = std::move(on_started);
  for (const ProcessRecord& process : before_) record_last_exit(process);
  plan_.restore(before_);
  while (true) {
    const unsigned seen = revision_;
    if (is_ending() || is_forced_ || journal_error_) break;
    CompletionPlan::Step step;
    if (!halt_) step = plan_.step(std::chrono::steady_clock::now());
    if (step.completion) {
      is_decided_ = true;
      end_active();
      co_await wait_for_active();
      co_return result_of(*step.completion);
    }
    launch(step.starts);
    if (halt_ == Halt::pause && plan_.active() == 0) break;
    if (revision_ != seen) continue;
    co_await changed_.wait(step.next_check.value_or(Deadline::max()));
  }
  co_return co_await finish_active();
}

// Stops or waits for the active processes; starts nothing any more.
Async<Result<ExecutionResult>> CommandWork::finish_active() {
  if (halt_ != Halt::pause) end_active();
  co_await wait_for_active();
  if (journal_error_) co_return *journal_error_;
  // The last exits may have decided the run.
  const auto completion = plan_.completion();
  const bool is_over = completion == Completion::succeeded || halt_ == Halt::pause;
  if (completion && is_over && halt_ != Halt::shut_down) co_return result_of(*completion);
  co_return early_end();
}

ExecutionResult CommandWork::early_end() const {
  ExecutionResult result;
  result.outcome.exit = last_exit_;
  if (halt_ == Halt::pause) result.end = ExecutionEnd::paused;
  if (halt_ == Halt::shut_down) result.end = ExecutionEnd::interrupted;
  result.outcome.state = halt_ == Halt::cancel ? RunState::cancelled : RunState::stopped;
  return result;
}

ExecutionResult CommandWork::result_of(Completion completion) const {
  ExecutionResult result;
  if (completion == Completion::succeeded) {
    result.outcome.exit.code = 0;  // regardless of replaced processes
    return result;
  }
  result.outcome.exit = last_exit_;
  result.outcome.state = RunState::failed;
  result.outcome.message = last_problem_;
  result.outcome.reason = ErrorKind::process_failed;
  if (completion == Completion::backoff_limit_exceeded) {
    result.outcome.reason = ErrorKind::backoff_limit_exceeded;
    result.outcome.message = fmt::format("{} failed, backoff_limit = {}; the last: {}",
                                         counted(plan_.failed(), "process", "processes"),
                                         job_.program.backoff_limit, last_problem_);
  }
  return result;
}

void CommandWork::launch(const std::vector<ProcessAttempt>& starts) {
  for (const ProcessAttempt& process : starts)
    asio::co_spawn(parts_.loop, run_process(shared_from_this(), process), rethrow_bug);
}

Async<void> CommandWork::wait_for_active() {
  while (plan_.active() > 0) co_await changed_.wait();
}

void CommandWork::end_active() {
  for (const auto& [process, program] : running_) end_program(*program);
}

void CommandWork::end_program(SupervisedProcess& program) const {
  if (is_forced_)
    program.kill();
  else
    program.request_stop(job_.program.stop_signal, job_.stop_timeout);
}

void CommandWork::halt(Halt how) {
  if (how == Halt::force) return force();
  if (is_ending()) return;
  halt_ = how;
  if (how != Halt::pause) end_active();
  ++revision_;
  changed_.notify();
}

void CommandWork::force() {
  is_forced_ = true;
  if (!halt_ || halt_ == Halt::pause) halt_ = Halt::stop;
  end_active();
  ++revision_;
  changed_.notify();
}

Async<void> CommandWork::run_process(std::shared_ptr<CommandWork> self, ProcessAttempt process) {
  const ProcessRecord record = co_await self->try_process(process);
  auto end = CompletionPlan::End::failed;
  if (record.state == ProcessState::succeeded) end = CompletionPlan::End::succeeded;
  if (record.state == ProcessState::stopped) end = CompletionPlan::End::stopped;
  self->record_last_exit(record);
  const double chance = std::uniform_real_distribution<double>(0, 1)(self->chance_);
  self->plan_.ended(process, end, std::chrono::steady_clock::now(), chance);
  ++self->revision_;
  self->changed_.notify();
}

// For the post_stop hooks: the last process that failed or was stopped with the run, or else the
// last one that succeeded.
void CommandWork::record_last_exit(const ProcessRecord& record) {
  const bool was_started = record.exit.code || record.exit.signal;
  const bool has_failed =
      record.state == ProcessState::failed || record.state == ProcessState::interrupted;
  if (record.state == ProcessState::stopped) {
    if (was_started && !is_decided_) last_exit_ = record.exit;
    return;
  }
  if (!has_failed && has_failure_) return;
  has_failure_ = has_failed;
  last_exit_ = record.exit;
  last_problem_ = record.problem.empty() ? describe(record.exit) : record.problem;
}

Async<ProcessRecord> CommandWork::try_process(ProcessAttempt process) {
  ProcessRecord record;
  record.run = run_;
  record.index = process.index;
  record.attempt = process.attempt;
  record.started_at = parts_.clock.now();
  const Status intended = co_await note(record);
  if (!intended) {
    record.state = ProcessState::stopped;
    co_return record;
  }
  if (halt_ || is_forced_ || is_decided_) {  // requested during the write
    record.state = ProcessState::stopped;
    record.ended_at = parts_.clock.now();
    const Status noted = co_await note(record);
    if (!noted) parts_.log.error(noted.error().message);
    co_return record;
  }
  auto launch_spec = launch_spec_of(process);
  auto started = co_await SupervisedProcess::start(std::move(launch_spec), parts_.launch_context);
  if (started) {
    running_.emplace(process, *started);
    co_await await_exit(record, std::move(*started));
    running_.erase(process);
  } else {
    record.state = ProcessState::failed;
    record.problem = started.error().message;
  }
  record.ended_at = parts_.clock.now();
  const Status noted = co_await note(record);
  if (!noted) parts_.log.error(noted.error().message);
  co_return record;
}

Async<void> CommandWork::await_exit(ProcessRecord& record,
                                    std::shared_ptr<SupervisedProcess> program) {
  record.pid = program->pid();
  if (is_ending() || is_forced_ || is_decided_)
    end_program(*program);  // requested during the start
  if (const auto begun = std::exchange(on_started_, nullptr)) begun();
  const Status noted = co_await note(record);
  if (!noted) program->kill();
  OutputTag tag = process_tag(job_.id, run_, record.index, record.attempt);
  co_await remove_start_claim(parts_.launch_context, std::move(tag));
  const ProcessResult done = co_await program->wait();
  record.exit = done.exit;
  record.peak_memory_bytes = done.peak_memory_bytes;
  record.cpu_time = done.cpu_time;
  const bool was_stopped = is_ending() || is_forced_ || is_decided_ || done.was_stop_requested;
  if (done.has_succeeded()) {
    record.state = ProcessState::succeeded;
  } else if (halt_ == Halt::shut_down) {
    record.state = ProcessState::interrupted;
    record.problem = fmt::format("interrupted because the daemon ended ({})", describe(done.exit));
  } else {
    record.state = was_stopped ? ProcessState::stopped : ProcessState::failed;
  }
}

LaunchSpec CommandWork::launch_spec_of(ProcessAttempt process) const {
  LaunchSpec launch_spec;
  launch_spec.line = job_.program.line;
  launch_spec.environment =
      process_environment_of(job_.program, nullptr, parts_.launch_context.daemon_environment);
  launch_spec.tag = process_tag(job_.id, run_, process.index, process.attempt);
  Variables& variables = launch_spec.environment.variables;
  variables["HEDDLE_JOB"] = job_.id.text;
  variables["HEDDLE_RUN_ID"] = run_.text;
  variables["HEDDLE_ATTEMPT"] = std::to_string(process.attempt);
  variables["HEDDLE_INDEX"] = std::to_string(process.index);
  return launch_spec;
}

Async<Status> CommandWork::note(ProcessRecord record) {
  auto noted = co_await parts_.journal.record_process(std::move(record));
  if (!noted) {
    journal_error_ = noted.error();
    ++revision_;
    changed_.notify();
  }
  co_return noted;
}

}  // namespace heddle::commands
