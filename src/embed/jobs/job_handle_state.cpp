#include "embed/jobs/job_handle_state.hpp"

#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "model/job/program_status.hpp"

namespace heddle::jobs {

namespace {

void add_hooks(Job& job, HookPhase phase, const std::vector<Hook>& hooks) {
  for (const Hook& hook : hooks) {
    HookRule rule;
    rule.phase = phase;
    rule.name = hook.name;
    rule.program.command = hook.command;
    rule.program.args = hook.args;
    rule.failure = static_cast<HookFailure>(hook.failure);
    rule.mode = static_cast<HookMode>(hook.mode);
    rule.retries = hook.retries;
    rule.retry_delay = hook.retry_delay;
    rule.timeout = hook.timeout;
    rule.env = hook.env;
    rule.work_dir = hook.work_dir;
    rule.always = hook.always;
    job.hooks.push_back(std::move(rule));
  }
}
static_assert(static_cast<int>(HookFailure::ignore) == static_cast<int>(FailureMode::ignore) &&
              static_cast<int>(HookMode::async) == static_cast<int>(RunMode::async));

void refuse_if(bool is_wrong, const std::string& why) {
  if (is_wrong) throw std::invalid_argument("heddle::jobs: " + why);
}

void check(const ProgramLine& line, const std::string& whose) {
  refuse_if(line.command.empty() == line.args.empty(), whose + " needs `command` or `args`");
}

void check(const Job& job) {
  refuse_if(job.name.empty(), "a job needs a name");
  check(job.program.line, "job '" + job.name + "'");
  refuse_if(job.program.parallelism < 1 || job.program.completions < 1,
            "parallelism and completions are at least 1");
  refuse_if(job.retry.factor < 1, "backoff_factor is at least 1");
  std::set<std::string> names;
  for (const HookRule& hook : job.hooks) {
    check(hook.program, "hook '" + hook.name + "'");
    refuse_if(hook.name.empty(), "every hook needs a name");
    refuse_if(!names.insert(hook.name).second, "there are two hooks '" + hook.name + "'");
  }
}

HookStatus to_status(const HookRecord& record) {
  HookStatus status;
  status.name = record.hook;
  status.phase = heddle::to_text(record.phase);
  status.attempt = record.attempt;
  status.state = heddle::to_text(record.state);
  status.exit_code = record.exit.code;
  status.output = record.output;
  return status;
}

Status to_status(const ProgramHistory& history, RunState state) {
  const ProgramStatus inner = program_status(history, state);
  Status status;
  status.phase = static_cast<Phase>(inner.phase);
  status.active = inner.active;
  status.succeeded = inner.succeeded;
  status.failed = inner.failed;
  for (const HookRecord& hook : history.hooks) status.hooks.push_back(to_status(hook));
  return status;
}
static_assert(static_cast<int>(ProgramPhase::failed) == static_cast<int>(Phase::failed));

}  // namespace

std::string_view to_text(Phase phase) {
  switch (phase) {
    case Phase::pending:
      return "Pending";
    case Phase::running:
      return "Running";
    case Phase::succeeded:
      return "Succeeded";
    case Phase::failed:
      break;
  }
  return "Failed";
}

std::string to_text(const Status& status) {
  return fmt::format("{} (Active: {}, Succeeded: {}, Failed: {})", to_text(status.phase),
                     status.active, status.succeeded, status.failed);
}

Job to_job(const Spec& spec) {
  Job job;
  job.id = {spec.name};
  job.name = spec.name;
  job.kind = JobKind::command;
  job.program.line = {spec.command, spec.args};
  job.program.home = std::filesystem::current_path();
  job.program.work_dir = spec.work_dir;
  job.program.env = spec.env;
  job.program.env_pass = spec.env_pass;
  job.program.parallelism = spec.parallelism;
  job.program.completions = spec.completions;
  job.program.restart = spec.restart_on_failure ? RestartRule::on_failure : RestartRule::never;
  job.program.backoff_limit = spec.backoff_limit;
  job.program.deadline = spec.deadline;
  job.program.stop_signal = spec.stop_signal;
  job.stop_timeout = spec.stop_timeout;
  job.retry.base = spec.backoff;
  job.retry.factor = spec.backoff_factor;
  job.retry.cap = spec.backoff_cap;
  add_hooks(job, HookPhase::pre_start, spec.hooks.pre_start);
  add_hooks(job, HookPhase::post_start, spec.hooks.post_start);
  add_hooks(job, HookPhase::pre_stop, spec.hooks.pre_stop);
  add_hooks(job, HookPhase::post_stop, spec.hooks.post_stop);
  check(job);
  return job;
}

Status Handle::State::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

Status Handle::State::wait_until(
    const std::function<bool(const Status&)>& holds,
    std::optional<std::chrono::steady_clock::time_point> deadline) const {
  std::unique_lock lock(mutex_);
  while (true) {
    const Status now = status_;
    const std::uint64_t seen = changes_;
    if (now.is_over()) return now;
    lock.unlock();
    const bool is_enough = holds && holds(now);
    lock.lock();
    if (is_enough) return now;
    const auto has_changed = [this, seen] { return changes_ != seen; };  // also while unlocked
    if (!deadline)
      changed_.wait(lock, has_changed);
    else if (!changed_.wait_until(lock, *deadline, has_changed))
      return status_;
  }
}

void Handle::State::stop() const {
  std::function<void()> stop;
  {
    const std::lock_guard lock(mutex_);
    stop = stop_;
  }
  if (stop) stop();
}

void Handle::State::set_stop(std::function<void()> stop) {
  const std::lock_guard lock(mutex_);
  stop_ = std::move(stop);
}

void Handle::State::update(const ProgramHistory& history, RunState state) {
  const std::lock_guard lock(mutex_);
  if (status_.is_over()) return;
  status_ = to_status(history, state);
  ++changes_;
  changed_.notify_all();
}

void Handle::State::set_ended(const ProgramHistory& history, const RunOutcome& outcome) {
  const std::lock_guard lock(mutex_);
  status_ = to_status(history, outcome.state);
  status_.reason = to_text(outcome.reason);
  status_.message = outcome.message;
  stop_ = nullptr;
  ++changes_;
  changed_.notify_all();
}

void StatusJournal::notify() {
  state_->update(history(), RunState::in_progress);
}

const ProgramHistory& StatusJournal::history() const {
  static const ProgramHistory none;
  const ProgramHistory* found = journal_.find(state_->run().id);
  return found == nullptr ? none : *found;
}

Async<heddle::Status> StatusJournal::record_process(ProcessRecord process) {
  auto noted = co_await journal_.record_process(std::move(process));
  notify();
  co_return noted;
}

Async<heddle::Status> StatusJournal::record_hook(HookRecord hook) {
  auto noted = co_await journal_.record_hook(std::move(hook));
  notify();
  co_return noted;
}

Async<heddle::Status> StatusJournal::record_stage(RunId run, RunStageRecord record) {
  auto noted = co_await journal_.record_stage(std::move(run), std::move(record));
  notify();
  co_return noted;
}

Async<Result<ProgramHistory>> StatusJournal::program_history(RunId run) {
  return journal_.program_history(std::move(run));
}

Handle::Handle(std::shared_ptr<State> state) : state_(std::move(state)) {}

Status Handle::status() const {
  return state_->status();
}

Status Handle::wait() const {
  return state_->wait_until({}, std::nullopt);
}

Status Handle::wait_for(std::chrono::milliseconds time) const {
  return state_->wait_until({}, std::chrono::steady_clock::now() + time);
}

Status Handle::wait_until(const std::function<bool(const Status&)>& holds) const {
  return state_->wait_until(holds, std::nullopt);
}

void Handle::stop() const {
  state_->stop();
}

}  // namespace heddle::jobs
