#include "commands/command_work.hpp"

#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <fmt/format.h>

#include "base/rethrow_bug.hpp"

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

Async<Result<WorkResult>> CommandWork::work(std::function<void()> on_started) {
  const auto self = shared_from_this();
  on_started_ = std::move(on_started);
  for (const ProcessRecord& process : before_) keep_last_end(process);
  plan_.restore(before_);
  while (true) {
    const unsigned seen = ends_;
    if (is_to_end() || is_forced_ || trouble_) break;
    CompletionPlan::Step step;
    if (!ending_) step = plan_.step(std::chrono::steady_clock::now());
    if (step.completion) {
      is_decided_ = true;
      end_active();
      co_await wait_for_active();
      co_return result_of(*step.completion);
    }
    launch(step.starts);
    if (ending_ == Ending::pause && plan_.active() == 0) break;
    if (ends_ != seen) continue;
    co_await news_.wait(step.look_again.value_or(Deadline::max()));
  }
  co_return co_await come_to_rest();
}

// Nothing is started any more.
Async<Result<WorkResult>> CommandWork::come_to_rest() {
  if (ending_ != Ending::pause) end_active();
  co_await wait_for_active();
  if (trouble_) co_return *trouble_;
  // It may have been decided by those that ended last.
  const auto completion = plan_.completion();
  const bool is_over = completion == Completion::succeeded || ending_ == Ending::pause;
  if (completion && is_over && ending_ != Ending::leave) co_return result_of(*completion);
  co_return early_end();
}

WorkResult CommandWork::early_end() const {
  WorkResult result;
  result.verdict.exit = last_exit_;
  if (ending_ == Ending::pause) result.end = WorkEnd::paused;
  if (ending_ == Ending::leave) result.end = WorkEnd::interrupted;
  result.verdict.state = ending_ == Ending::cancel ? RunState::cancelled : RunState::stopped;
  return result;
}

WorkResult CommandWork::result_of(Completion completion) const {
  WorkResult result;
  if (completion == Completion::succeeded) {
    result.verdict.exit.code = 0;  // whatever became of those that were replaced
    return result;
  }
  result.verdict.exit = last_exit_;
  result.verdict.state = RunState::failed;
  result.verdict.message = last_problem_;
  result.verdict.reason = "process_failed";
  if (completion == Completion::backoff_limit_exceeded) {
    result.verdict.reason = "backoff_limit_exceeded";
    result.verdict.message = fmt::format("{} processes failed, backoff_limit = {}; the last: {}",
                                         plan_.failed(), job_.program.backoff_limit, last_problem_);
  }
  return result;
}

void CommandWork::launch(const std::vector<ProcessTry>& starts) {
  for (const ProcessTry& process : starts)
    asio::co_spawn(parts_.loop, run_process(shared_from_this(), process), rethrow_bug);
}

Async<void> CommandWork::wait_for_active() {
  while (plan_.active() > 0) co_await news_.wait();
}

void CommandWork::end_active() {
  for (const auto& [process, program] : running_) end_program(*program);
}

void CommandWork::end_program(TendedProgram& program) const {
  if (is_forced_)
    program.kill();
  else
    program.ask_to_end(job_.program.stop_signal, job_.stop_timeout);
}

void CommandWork::end(Ending how) {
  if (is_to_end()) return;
  ending_ = how;
  if (how != Ending::pause) end_active();
  ++ends_;
  news_.ring();
}

void CommandWork::force() {
  is_forced_ = true;
  if (!ending_ || ending_ == Ending::pause) ending_ = Ending::stop;
  end_active();
  ++ends_;
  news_.ring();
}

Async<void> CommandWork::run_process(std::shared_ptr<CommandWork> self, ProcessTry process) {
  const ProcessRecord record = co_await self->try_process(process);
  auto end = CompletionPlan::End::failed;
  if (record.state == ProcessState::succeeded) end = CompletionPlan::End::succeeded;
  if (record.state == ProcessState::stopped) end = CompletionPlan::End::stopped;
  self->keep_last_end(record);
  const double chance = std::uniform_real_distribution<double>(0, 1)(self->chance_);
  self->plan_.ended(process, end, std::chrono::steady_clock::now(), chance);
  ++self->ends_;
  self->news_.ring();
}

// What its hooks are told of: the last process that failed or was ended with the run, or else the
// last that succeeded.
void CommandWork::keep_last_end(const ProcessRecord& record) {
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

Async<ProcessRecord> CommandWork::try_process(ProcessTry process) {
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
  if (ending_ || is_forced_ || is_decided_) {  // asked for while that was written down
    record.state = ProcessState::stopped;
    record.ended_at = parts_.clock.now();
    const Status noted = co_await note(record);
    if (!noted) parts_.log.error(noted.error().message);
    co_return record;
  }
  auto order = order_of(process);
  auto started = co_await TendedProgram::start(std::move(order), parts_.house);
  if (started) {
    running_.emplace(process, *started);
    co_await tend(record, std::move(*started));
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

Async<void> CommandWork::tend(ProcessRecord& record, std::shared_ptr<TendedProgram> program) {
  record.pid = program->pid();
  if (is_to_end() || is_forced_ || is_decided_)
    end_program(*program);  // asked for while it was started
  if (const auto begun = std::exchange(on_started_, nullptr)) begun();
  const Status noted = co_await note(record);
  if (!noted) program->kill();
  const ProgramDone done = co_await program->wait();
  record.exit = done.exit;
  record.peak_memory_bytes = done.peak_memory_bytes;
  record.cpu_time = done.cpu_time;
  const bool is_unwanted = is_to_end() || is_forced_ || is_decided_;
  if (done.has_succeeded())
    record.state = ProcessState::succeeded;
  else if (ending_ == Ending::leave)
    record.state = ProcessState::interrupted;
  else
    record.state = is_unwanted ? ProcessState::stopped : ProcessState::failed;
}

ProgramOrder CommandWork::order_of(ProcessTry process) const {
  ProgramOrder order;
  order.line = job_.program.line;
  order.surroundings = surroundings_of(job_.program, nullptr, parts_.house.daemon);
  order.tag.job = job_.id;
  order.tag.run = run_;
  order.tag.program = fmt::format("{}.{}", process.index, process.attempt);
  Variables& variables = order.surroundings.variables;
  variables["HEDDLE_JOB"] = job_.id.text;
  variables["HEDDLE_RUN_ID"] = run_.text;
  variables["HEDDLE_ATTEMPT"] = std::to_string(process.attempt);
  variables["HEDDLE_INDEX"] = std::to_string(process.index);
  return order;
}

Async<Status> CommandWork::note(ProcessRecord record) {
  auto noted = co_await parts_.journal.note_process(std::move(record));
  if (!noted) {
    trouble_ = noted.error();
    ++ends_;
    news_.ring();
  }
  co_return noted;
}

}  // namespace heddle::commands
