#include "commands/hooked_run.hpp"

#include <algorithm>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <fmt/format.h>

#include "base/rethrow_bug.hpp"
#include "commands/start_claims.hpp"

namespace heddle::commands {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::milliseconds kOutputDrainTimeout{1000};
// For the post_stop hooks of a forced run, also after its stop deadline.
constexpr std::chrono::milliseconds kMinGuaranteedPostStop{1000};
constexpr std::chrono::milliseconds kMaxGuaranteedPostStop{5000};

std::string text_of(const HookRunner::Failure& failure) {
  return fmt::format("{} hook '{}': {}", to_text(failure.phase), failure.hook, failure.message);
}

// Counts a coroutine that runs hooks during the work.
class ActiveHookTask {
 public:
  ActiveHookTask(int& count, WakeSignal& changed) : count_(count), changed_(changed) { ++count_; }
  ~ActiveHookTask() {
    --count_;
    changed_.notify();
  }
  ActiveHookTask(const ActiveHookTask&) = delete;
  ActiveHookTask& operator=(const ActiveHookTask&) = delete;

 private:
  int& count_;
  WakeSignal& changed_;
};

}  // namespace

HookedRun::HookedRun(RunParts parts, const Job& job, const Run& run)
    : parts_(std::move(parts)), job_(job), run_(run) {}

Async<Status> HookedRun::load_history() {
  if (stage_record_) co_return Done{};
  auto history = co_await parts_.journal.program_history(run_.id);
  if (!history) co_return std::move(history).error();
  hook_runner_ = std::make_shared<HookRunner>(parts_, job_, run_.id);
  auto restored = co_await hook_runner_->restore(std::move(history->hooks));
  if (!restored) co_return restored;
  auto settled = co_await mark_interrupted(history->processes);
  if (!settled) co_return settled;
  processes_ = std::move(history->processes);
  stage_record_ = history->stage_record.value_or(RunStageRecord{});
  start_deadline();
  co_return Done{};
}

// Processes of a previous daemon died with it. One that was never executed does not count as
// failed.
Async<Status> HookedRun::mark_interrupted(std::vector<ProcessRecord>& processes) {
  for (ProcessRecord& process : processes) {
    if (process.state != ProcessState::running) continue;
    const OutputTag tag = process_tag(job_.id, run_.id, process.index, process.attempt);
    bool is_executed = process.pid != 0;  // recorded
    if (!is_executed) is_executed = co_await was_executed(parts_.launch_context, tag);
    process.state = is_executed ? ProcessState::interrupted : ProcessState::stopped;
    process.ended_at = parts_.clock.now();
    process.problem = is_executed ? "killed with the daemon" : "the daemon ended before its start";
    ProcessRecord interrupted = process;
    auto noted = co_await parts_.journal.record_process(std::move(interrupted));
    if (!noted) co_return noted;
    co_await remove_start_claim(parts_.launch_context, tag);
  }
  co_return Done{};
}

Async<Status> HookedRun::note(RunStage stage) {
  RunStageRecord record;
  record.stage = stage;
  record.outcome = stage_record_->outcome;
  RunStageRecord noted = record;
  auto done = co_await parts_.journal.record_stage(run_.id, std::move(noted));
  if (done) stage_record_ = std::move(record);
  co_return done;
}

Async<Result<bool>> HookedRun::prepare() {
  const auto self = shared_from_this();
  auto recalled = co_await load_history();
  if (!recalled) co_return std::move(recalled).error();
  if (stage_record_->stage != RunStage::preparing)
    co_return stage_record_->stage == RunStage::working;
  auto begun = co_await note(RunStage::preparing);
  if (!begun) co_return std::move(begun).error();
  if (!halt_ && !is_past_deadline_) co_await hook_runner_->run_phase(HookPhase::pre_start);
  if (hook_runner_->journal_error()) co_return *hook_runner_->journal_error();
  const bool is_decided = is_past_deadline_ || !hook_runner_->failures().empty();
  if (halt_ == Halt::shut_down || (halt_ == Halt::pause && !is_decided)) co_return false;
  decide_before_work();
  const bool may_begin = !stage_record_->outcome;
  auto noted = co_await note(may_begin ? RunStage::working : RunStage::finishing);
  if (!noted) co_return std::move(noted).error();
  co_return may_begin;
}

// Sets the outcome when the work must not start.
void HookedRun::decide_before_work() {
  const auto failures = hook_runner_->failures();
  if (is_past_deadline_) {
    fail(ErrorKind::deadline_exceeded, "its deadline passed before it started");
  } else if (!failures.empty()) {
    fail(ErrorKind::hook_failed, text_of(failures.front()));
  } else if (is_ending()) {
    RunOutcome outcome;
    outcome.state = *halt_ == Halt::cancel ? RunState::cancelled : RunState::stopped;
    stage_record_->outcome = outcome;
  }
  if (stage_record_->outcome)
    stage_record_->outcome->never_started = !hook_runner_->has_completed(HookPhase::pre_start);
}

void HookedRun::fail(ErrorKind reason, std::string message) {
  RunOutcome outcome = stage_record_->outcome.value_or(RunOutcome{});
  outcome.state = RunState::failed;
  outcome.reason = reason;
  outcome.message = std::move(message);
  stage_record_->outcome = std::move(outcome);
}

Async<Result<ExecutionResult>> HookedRun::carry_out(MakeWork make_work) {
  const auto self = shared_from_this();
  auto end = co_await run_stages(std::move(make_work));
  // A retry must not overlap with hooks of this attempt.
  if (!end && hook_runner_ != nullptr) hook_runner_->kill_running();
  if (hook_runner_ != nullptr) co_await hook_runner_->wait_for_all();
  is_over_ = true;
  has_ended_ = true;
  changed_.notify();
  if (hook_runner_ != nullptr) hook_runner_->changed().notify();
  co_return end;
}

Async<Result<ExecutionResult>> HookedRun::run_stages(MakeWork make_work) {
  auto may_begin = co_await prepare();
  if (!may_begin) co_return std::move(may_begin).error();
  ExecutionResult end;
  if (stage_record_->stage == RunStage::working) {
    work_ = make_work(processes_);
    auto result = co_await work();
    if (!result) co_return std::move(result).error();
    end = std::move(*result);
  } else if (stage_record_->stage == RunStage::preparing) {
    end.end = halt_ == Halt::pause ? ExecutionEnd::paused : ExecutionEnd::interrupted;
  }
  if (is_abandoned_) end.end = ExecutionEnd::interrupted;
  if (end.end != ExecutionEnd::finished) co_return end;
  begin_post_stop();
  RunOutcome reported = *stage_record_->outcome;
  // An outcome set while no daemon ran may not know that pre_start had completed.
  if (hook_runner_->has_completed(HookPhase::pre_start)) reported.never_started = false;
  co_await hook_runner_->run_post_stop(std::move(reported));
  co_await hook_runner_->wait_for_all();
  if (hook_runner_->journal_error()) co_return *hook_runner_->journal_error();
  auto settled = co_await hook_runner_->settle_unstarted();
  if (!settled) co_return std::move(settled).error();
  if (!is_abandoned_) co_await remove_start_claims(parts_.launch_context, run_.id);
  co_await parts_.launch_context.output_log.drain(kOutputDrainTimeout);
  end = finish(std::move(end));
  if (is_abandoned_) end.end = ExecutionEnd::interrupted;
  co_return end;
}

Async<Result<ExecutionResult>> HookedRun::work() {
  std::function<void()> on_started = [this] {
    asio::co_spawn(parts_.loop, run_post_start(shared_from_this()), rethrow_bug);
  };
  if (halt_) end_work();  // requested before the work existed
  if (is_forced_ || is_past_deadline_) work_->halt(Halt::force);
  asio::co_spawn(parts_.loop, watch_failures(shared_from_this()), rethrow_bug);
  auto result = co_await work_->work(std::move(on_started));
  if (!result) co_return std::move(result).error();
  if (result->end != ExecutionEnd::finished) co_return result;
  is_work_over_ = true;
  do {  // post_stop hooks get the final result, including failures of other hooks
    co_await wait_for_hook_tasks();
    co_await hook_runner_->wait_until_decided();
  } while (active_hook_tasks_ > 0);
  stage_record_->outcome = result->outcome;
  const bool has_succeeded = stage_record_->outcome->state == RunState::completed;
  if (is_past_deadline_ && !has_succeeded)
    fail(ErrorKind::deadline_exceeded,
         fmt::format("deadline = {}: its running processes were killed",
                     to_short_text(job_.program.deadline.value_or(std::chrono::milliseconds(0)))));
  else if (const auto failures = hook_runner_->failures(); !failures.empty())
    fail(ErrorKind::hook_failed, text_of(failures.front()));
  auto noted = co_await note(RunStage::finishing);
  if (!noted) co_return std::move(noted).error();
  co_return result;
}

// Waits for the coroutines that run hooks, not for async hooks.
Async<void> HookedRun::wait_for_hook_tasks() {
  while (active_hook_tasks_ > 0) co_await changed_.wait();
}

Async<void> HookedRun::run_post_start(std::shared_ptr<HookedRun> self) {
  const bool is_pointless = self->is_ending() || self->is_forced_ || self->is_past_deadline_;
  if (is_pointless || self->is_over_) co_return;
  const ActiveHookTask task(self->active_hook_tasks_, self->changed_);
  co_await self->hook_runner_->run_phase(HookPhase::post_start);
}

// A failing hook, also an async one, ends the work. No stop was requested, so the run counts as
// failed whatever the result of its work.
Async<void> HookedRun::watch_failures(std::shared_ptr<HookedRun> self) {
  HookRunner& hook_runner = *self->hook_runner_;
  const auto has_failed = [&hook_runner] {
    return hook_runner.has_failed(HookPhase::pre_start) ||
           hook_runner.has_failed(HookPhase::post_start);
  };
  while (!self->is_over_ && !self->is_work_over_ && !self->is_ending()) {
    if (has_failed()) co_return self->stop_work_now(Halt::stop);
    co_await hook_runner.changed().wait();
  }
}

Async<void> HookedRun::run_pre_stop(std::shared_ptr<HookedRun> self) {
  const ActiveHookTask task(self->active_hook_tasks_, self->changed_);
  co_await self->hook_runner_->run_phase(HookPhase::pre_stop);
  self->stop_work_now(Halt::stop);
}

void HookedRun::halt(Halt how) {
  if (how == Halt::force) return force();
  if (how == Halt::stop && !stop_deadline_)
    stop_deadline_ = std::chrono::steady_clock::now() + job_.stop_timeout;
  if (is_ending() || is_over_) return;
  halt_ = how;
  const bool is_final = how == Halt::cancel || how == Halt::stop;
  const bool is_preparing = stage_record_ && stage_record_->stage == RunStage::preparing;
  if (is_final && (is_preparing || is_work_over_))
    hook_runner_->stop_start_hooks(job_.stop_timeout);
  // The running hook finishes; a resumed run continues with the next one.
  const bool is_held = how == Halt::shut_down || (how == Halt::pause && is_preparing);
  if (is_held && hook_runner_ != nullptr) hook_runner_->skip_rest();
  if (work_ != nullptr && !is_work_over_) end_work();
}

// A stop runs the pre_stop hooks first.
void HookedRun::end_work() {
  if (*halt_ == Halt::stop && !is_forced_)
    asio::co_spawn(parts_.loop, run_pre_stop(shared_from_this()), rethrow_bug);
  else
    stop_work_now(*halt_);
}

// Hooks that run during the work end with it unless the run will be resumed.
void HookedRun::stop_work_now(Halt how) {
  work_->halt(how);
  if (how == Halt::cancel || how == Halt::stop) hook_runner_->stop_start_hooks(job_.stop_timeout);
}

void HookedRun::force() {
  is_forced_ = true;
  if (!stop_deadline_) stop_deadline_ = std::chrono::steady_clock::now() + job_.stop_timeout;
  if (!is_ending() && !is_over_) halt_ = Halt::stop;
  if (hook_runner_ != nullptr) {
    hook_runner_->skip_rest();
    hook_runner_->kill_before_post_stop();
    hook_runner_->stop_retrying_post_stop();
  }
  if (is_over_) return limit_post_stop();
  if (work_ != nullptr) work_->halt(Halt::force);
}

void HookedRun::begin_post_stop() {
  is_over_ = true;
  hook_runner_->changed().notify();
  if (!is_forced_) return;
  hook_runner_->stop_retrying_post_stop();
  limit_post_stop();
}

void HookedRun::limit_post_stop() {
  if (!std::exchange(is_post_stop_limited_, true))
    asio::co_spawn(parts_.loop, watch_post_stop(shared_from_this()), rethrow_bug);
}

Async<void> HookedRun::watch_post_stop(std::shared_ptr<HookedRun> self) {
  const auto guaranteed =
      std::clamp(self->job_.stop_timeout, kMinGuaranteedPostStop, kMaxGuaranteedPostStop);
  const Deadline deadline =
      std::max(*self->stop_deadline_, std::chrono::steady_clock::now() + guaranteed);
  while (!self->has_ended_ && std::chrono::steady_clock::now() < deadline)
    co_await self->changed_.wait(deadline);
  if (!self->has_ended_) self->hook_runner_->abort_post_stop();
}

void HookedRun::abandon() {
  is_abandoned_ = true;
  if (!halt_ || *halt_ == Halt::pause) halt_ = Halt::shut_down;
  if (hook_runner_ != nullptr) hook_runner_->abandon();
  if (work_ != nullptr && !is_over_) work_->halt(Halt::force);
}

// Counted from the start of the run, also across daemons.
void HookedRun::start_deadline() {
  const bool has_deadline = job_.kind == JobKind::command && job_.program.deadline;
  if (!has_deadline || stage_record_->stage == RunStage::finishing) return;
  // The clock may have been set back since a former daemon started the run.
  const auto left = std::min(run_.started_at + *job_.program.deadline - parts_.clock.now(),
                             *job_.program.deadline);
  asio::co_spawn(parts_.loop,
                 watch_deadline(shared_from_this(), std::chrono::steady_clock::now() + left),
                 rethrow_bug);
}

Async<void> HookedRun::watch_deadline(std::shared_ptr<HookedRun> self, Deadline deadline) {
  while (!self->is_over_ && std::chrono::steady_clock::now() < deadline)
    co_await self->changed_.wait(deadline);
  if (self->is_over_) co_return;
  self->is_past_deadline_ = true;
  self->hook_runner_->skip_rest();
  self->hook_runner_->kill_before_post_stop();
  if (self->work_ != nullptr) self->work_->halt(Halt::force);
}

// `worked`: the result of the work, empty when it was done by a previous daemon.
ExecutionResult HookedRun::finish(ExecutionResult worked) const {
  ExecutionResult end = std::move(worked);
  end.outcome = *stage_record_->outcome;
  std::vector<RunError> errors;
  for (const HookRunner::Failure& failure : hook_runner_->failures()) {
    errors.push_back({ErrorKind::hook_failed, text_of(failure), ""});
    end.outcome.state = RunState::failed;
  }
  const bool is_listed =
      end.outcome.reason == ErrorKind::none || end.outcome.reason == ErrorKind::hook_failed;
  if (!is_listed) errors.insert(errors.begin(), {end.outcome.reason, end.outcome.message, ""});
  end.errors.insert(end.errors.begin(), errors.begin(), errors.end());
  return end;
}

}  // namespace heddle::commands
