#include "commands/hook_runner.hpp"

#include <algorithm>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <fmt/format.h>
#include <signal.h>

#include "base/rethrow_bug.hpp"
#include "base/text.hpp"
#include "commands/start_claims.hpp"

namespace heddle::commands {

namespace asio = boost::asio;

namespace {

constexpr std::size_t kShownOutput = 500;  // bytes of a failed hook's output in the run's error

// On one line, so that program output cannot look like our own lines.
std::string end_of_output(std::string_view output) {
  std::string_view text = trim(output);
  if (text.empty()) return {};
  if (text.size() > kShownOutput) text.remove_prefix(text.size() - kShownOutput);
  while (!text.empty() && (static_cast<unsigned char>(text.front()) & 0xC0U) == 0x80U)
    text.remove_prefix(1);  // in the middle of a character
  std::string line = ": ";
  for (const char c : text) line += c == '\n' ? std::string(" | ") : std::string(1, c);
  return line;
}

std::string how_it_ended(const HookRecord& record, std::chrono::milliseconds timeout) {
  if (record.state == HookState::interrupted) return "interrupted because the daemon ended";
  if (record.state == HookState::timed_out) {
    // Shorter than its timeout when the stop deadline of its run came first.
    const auto lasted = std::chrono::duration_cast<std::chrono::milliseconds>(
        record.ended_at.value_or(record.started_at + timeout) - record.started_at);
    return fmt::format("killed after {}{}", to_short_text(std::min(timeout, lasted)),
                       end_of_output(record.output));
  }
  const bool was_started = record.exit.code || record.exit.signal;
  if (!was_started) return record.output;
  return describe(record.exit) + end_of_output(record.output);
}

HookState state_of(const ProcessResult& done, bool was_stopped) {
  if (done.has_succeeded()) return HookState::succeeded;
  if (done.has_timed_out) return HookState::timed_out;
  return was_stopped ? HookState::stopped : HookState::failed;
}

OutputTag tag_of(const Job& job, const RunId& run, HookPhase phase, const std::string& hook,
                 int attempt) {
  OutputTag tag;
  tag.job = job.id;
  tag.run = run;
  tag.program = fmt::format("{}/{}.{}", to_text(phase), hook, attempt);
  return tag;
}

OutputTag tag_of(const Job& job, const HookRecord& record) {
  return tag_of(job, record.run, record.phase, record.hook, record.attempt);
}

HookPlan::End end_of(HookState state) {
  if (state == HookState::succeeded) return HookPlan::End::succeeded;
  const bool was_ended = state == HookState::stopped || state == HookState::interrupted;
  return was_ended ? HookPlan::End::stopped : HookPlan::End::failed;
}

std::string text_of(const std::optional<int>& number) {
  return number ? std::to_string(*number) : std::string();
}

}  // namespace

HookRunner::HookRunner(RunParts parts, const Job& job, RunId run)
    : parts_(std::move(parts)), job_(job), run_(std::move(run)) {}

Async<Status> HookRunner::restore(std::vector<HookRecord> records) {
  for (HookRecord& record : records) {
    if (record.state == HookState::starting) {
      const OutputTag tag = tag_of(job_, record);
      const bool is_executed = co_await was_executed(parts_.launch_context, tag);
      if (!is_executed) {
        unstarted_.push_back(std::move(record));
        continue;
      }
    }
    const bool has_no_end =
        record.state == HookState::starting || record.state == HookState::running;
    if (has_no_end) {
      record.state = HookState::interrupted;
      record.ended_at = parts_.clock.now();
      HookRecord interrupted = record;
      auto noted = co_await parts_.journal.record_hook(std::move(interrupted));
      if (!noted) co_return noted;
      const OutputTag tag = tag_of(job_, record);
      co_await remove_start_claim(parts_.launch_context, tag);
    }
    const auto rule =
        std::find_if(job_.hooks.begin(), job_.hooks.end(),
                     [&record](const HookRule& each) { return each.name == record.hook; });
    if (rule != job_.hooks.end())
      last_ends_.insert_or_assign(record.hook, how_it_ended(record, rule->timeout));
    before_.push_back(std::move(record));
  }
  co_return Done{};
}

Async<Status> HookRunner::settle_unstarted() {
  for (HookRecord& record : std::exchange(unstarted_, {})) {
    const OutputTag tag = tag_of(job_, record);
    co_await remove_start_claim(parts_.launch_context, tag);
    record.state = HookState::stopped;
    record.ended_at = parts_.clock.now();
    auto noted = co_await note(std::move(record));
    if (!noted) co_return noted;
  }
  co_return Done{};
}

HookRunner::Phase& HookRunner::begin_phase(HookPhase phase, std::vector<HookRule> hooks) {
  const auto found = phases_.find(phase);
  if (found != phases_.end()) return found->second;
  HookPlan plan(phase, std::move(hooks));
  plan.restore(before_);
  if (phase == HookPhase::post_stop && no_post_stop_retries_) plan.stop_retrying();
  if (phase == HookPhase::post_stop && is_post_stop_aborted_) plan.skip_rest();
  Phase& begun = phases_.emplace(phase, Phase(std::move(plan))).first->second;
  asio::co_spawn(parts_.loop, drive_phase(shared_from_this(), phase), rethrow_bug);
  return begun;
}

Async<void> HookRunner::run_phase(HookPhase phase) {
  begin_phase(phase, hooks_of(job_.hooks, phase));
  co_await wait_for_blocking(phase);
}

Async<void> HookRunner::run_post_stop(RunOutcome outcome) {
  std::vector<HookRule> hooks = hooks_of(job_.hooks, HookPhase::post_stop);
  if (outcome.never_started)
    std::erase_if(hooks, [](const HookRule& hook) { return !hook.always; });
  outcome_ = std::move(outcome);
  begin_phase(HookPhase::post_stop, std::move(hooks));
  co_await wait_for_blocking(HookPhase::post_stop);
}

Async<void> HookRunner::wait_for_blocking(HookPhase phase) {
  const auto self = shared_from_this();
  while (!phases_.at(phase).is_blocking_over) co_await changed_.wait();
}

Async<void> HookRunner::wait_for_all() {
  const auto self = shared_from_this();
  const auto is_over = [](const auto& each) { return each.second.is_over; };
  while (!std::all_of(phases_.begin(), phases_.end(), is_over)) co_await changed_.wait();
}

Async<void> HookRunner::wait_until_decided() {
  const auto self = shared_from_this();
  const auto is_decided = [](const auto& each) { return each.second.plan.is_decided(); };
  while (!std::all_of(phases_.begin(), phases_.end(), is_decided)) co_await changed_.wait();
}

// Starts what the plan of a phase asks for until the phase is over.
Async<void> HookRunner::drive_phase(std::shared_ptr<HookRunner> self, HookPhase phase) {
  Phase& phase_state = self->phases_.at(phase);
  while (true) {
    const unsigned seen = phase_state.revision;
    const HookPlan::Step step = phase_state.plan.step(std::chrono::steady_clock::now());
    phase_state.is_blocking_over = step.is_blocking_over;
    phase_state.is_over = step.is_over;
    if (step.is_blocking_over) self->changed_.notify();
    if (step.is_over) co_return;
    for (const HookPlan::Launch& launch : step.launches)
      asio::co_spawn(self->parts_.loop, run_hook(self, phase, launch), rethrow_bug);
    if (phase_state.revision != seen) continue;
    co_await self->changed_.wait(step.next_check.value_or(Deadline::max()));
  }
}

Async<void> HookRunner::run_hook(std::shared_ptr<HookRunner> self, HookPhase phase,
                                 HookPlan::Launch launch) {
  Phase& phase_state = self->phases_.at(phase);
  const HookRule rule = phase_state.plan.hook(launch.hook);
  const HookRecord record = co_await self->try_hook(rule, launch.attempt);
  self->last_ends_.insert_or_assign(rule.name, how_it_ended(record, rule.timeout));
  if (record.state != HookState::succeeded)
    self->parts_.log.warn(
        fmt::format("job '{}': {} hook '{}', attempt {}: {}", self->job_.name, to_text(phase),
                    rule.name, launch.attempt, self->last_ends_.at(rule.name)),
        {.job = self->job_.id.text});
  phase_state.plan.ended(launch.hook, end_of(record.state), std::chrono::steady_clock::now());
  ++phase_state.revision;
  self->changed_.notify();
}

Async<HookRecord> HookRunner::try_hook(const HookRule& rule, int attempt) {
  HookRecord record;
  record.run = run_;
  record.phase = rule.phase;
  record.hook = rule.name;
  record.attempt = attempt;
  record.started_at = parts_.clock.now();
  const Phase& phase = phases_.at(rule.phase);
  const unsigned stop_requests = phase.stop_requests;
  const Status intended = co_await note(record);
  if (!intended) {  // without a record the hook could run twice after a crash
    record.state = HookState::failed;
    record.output = intended.error().message;
    co_return record;
  }
  std::erase_if(unstarted_, [&record](const HookRecord& each) {
    return each.hook == record.hook && each.attempt == record.attempt;
  });
  if (is_abandoned_) {  // the next daemon runs it: its record says that it was never started
    record.state = HookState::interrupted;
    co_return record;
  }
  if (phase.stop_requests != stop_requests)
    record.state = state_when_stopped(rule.phase);
  else
    co_await start_hook(rule, record, stop_requests);
  record.ended_at = parts_.clock.now();
  const Status noted = co_await note(record);
  if (!noted) parts_.log.error(noted.error().message);
  co_return record;
}

HookState HookRunner::state_when_stopped(HookPhase phase) const {
  const bool was_aborted = is_post_stop_aborted_ && phase == HookPhase::post_stop;
  return was_aborted ? HookState::timed_out : HookState::stopped;
}

Async<void> HookRunner::start_hook(const HookRule& rule, HookRecord& record,
                                   unsigned stop_requests) {
  auto launch_spec = launch_spec_of(rule, record.attempt);
  auto started = co_await SupervisedProcess::start(std::move(launch_spec), parts_.launch_context);
  if (started) {
    co_await await_end(record, std::move(*started), stop_requests);
  } else {
    record.state = HookState::failed;
    record.output = started.error().message;
  }
}

Async<void> HookRunner::await_end(HookRecord& record, std::shared_ptr<SupervisedProcess> program,
                                  unsigned stop_requests) {
  using namespace asio::experimental::awaitable_operators;
  const Phase& phase = phases_.at(record.phase);
  record.state = HookState::running;
  running_.emplace(program, record.phase);
  if (phase.stop_requests != stop_requests) program->kill();
  // A journal that waits for space on the disk must not keep the output of the hook from being
  // read.
  const ProcessResult done = co_await (note_running(record) && program->wait());
  running_.erase(program);
  record.state = state_of(done, phase.stop_requests != stop_requests);
  if (record.state == HookState::stopped) record.state = state_when_stopped(record.phase);
  if (is_abandoned_ && !done.has_succeeded()) record.state = HookState::interrupted;
  record.exit = done.exit;
  record.output = done.output_tail;
}

Async<void> HookRunner::note_running(HookRecord record) {
  OutputTag tag = tag_of(job_, record);
  const Status noted = co_await note(std::move(record));
  if (noted) co_await remove_start_claim(parts_.launch_context, std::move(tag));
}

Async<Status> HookRunner::note(HookRecord record) {
  auto noted = co_await parts_.journal.record_hook(std::move(record));
  if (!noted) journal_error_ = noted.error();
  co_return noted;
}

LaunchSpec HookRunner::launch_spec_of(const HookRule& rule, int attempt) const {
  LaunchSpec launch_spec;
  launch_spec.line = rule.program;
  launch_spec.environment =
      process_environment_of(job_.program, &rule, parts_.launch_context.daemon_environment);
  launch_spec.timeout = rule.timeout;
  launch_spec.tag = tag_of(job_, run_, rule.phase, rule.name, attempt);
  Variables& variables = launch_spec.environment.variables;
  variables["HEDDLE_JOB"] = job_.id.text;
  variables["HEDDLE_RUN_ID"] = run_.text;
  variables["HEDDLE_HOOK"] = rule.name;
  variables["HEDDLE_PHASE"] = to_text(rule.phase);
  variables["HEDDLE_ATTEMPT"] = std::to_string(attempt);
  if (rule.phase != HookPhase::post_stop || !outcome_) return launch_spec;
  variables["HEDDLE_RESULT"] = to_text(outcome_->state);
  variables["HEDDLE_EXIT_CODE"] = text_of(outcome_->exit.code);
  variables["HEDDLE_SIGNAL"] = text_of(outcome_->exit.signal);
  variables["HEDDLE_REASON"] = to_text(outcome_->reason);
  return launch_spec;
}

void HookRunner::skip_rest() {
  for (auto& [phase, each] : phases_) {
    if (phase == HookPhase::post_stop) continue;
    each.plan.skip_rest();
    ++each.revision;
  }
  changed_.notify();
}

bool HookRunner::is_within(HookPhase phase, Scope scope) {
  switch (scope) {
    case Scope::start:
      return phase == HookPhase::pre_start || phase == HookPhase::post_start;
    case Scope::before_post_stop:
      return phase != HookPhase::post_stop;
    case Scope::post_stop:
      return phase == HookPhase::post_stop;
    case Scope::all:
      break;
  }
  return true;
}

// Without a grace period the programs are killed.
void HookRunner::end_programs(Scope scope, std::optional<std::chrono::milliseconds> grace) {
  for (auto& [phase, each] : phases_)
    if (is_within(phase, scope)) ++each.stop_requests;
  for (const auto& [program, phase] : running_) {
    if (!is_within(phase, scope)) continue;
    if (grace)
      program->request_stop(SIGTERM, *grace);
    else
      program->kill();
  }
}

void HookRunner::stop_start_hooks(std::chrono::milliseconds grace) {
  for (auto& [phase, each] : phases_) {
    if (!is_within(phase, Scope::start)) continue;
    each.plan.skip_rest();
    ++each.revision;
  }
  end_programs(Scope::start, grace);
  changed_.notify();
}

void HookRunner::kill_before_post_stop() {
  end_programs(Scope::before_post_stop, std::nullopt);
}

void HookRunner::kill_running() {
  end_programs(Scope::all, std::nullopt);
}

void HookRunner::stop_retrying_post_stop() {
  no_post_stop_retries_ = true;
  const auto end = phases_.find(HookPhase::post_stop);
  if (end == phases_.end()) return;
  end->second.plan.stop_retrying();
  ++end->second.revision;
  changed_.notify();
}

void HookRunner::abort_post_stop() {
  stop_retrying_post_stop();
  is_post_stop_aborted_ = true;
  const auto end = phases_.find(HookPhase::post_stop);
  if (end == phases_.end()) return;
  end->second.plan.skip_rest();
  end_programs(Scope::post_stop, std::nullopt);
  changed_.notify();
}

void HookRunner::abandon() {
  is_abandoned_ = true;
  kill_running();
  for (auto& [phase, each] : phases_) {
    each.plan.skip_rest();
    ++each.revision;
  }
  changed_.notify();
}

bool HookRunner::has_failed(HookPhase phase) const {
  const auto found = phases_.find(phase);
  return found != phases_.end() && found->second.plan.failed_hook() != nullptr;
}

bool HookRunner::has_completed(HookPhase phase) const {
  const auto found = phases_.find(phase);
  if (found != phases_.end()) return found->second.plan.has_completed();
  HookPlan plan(phase, hooks_of(job_.hooks, phase));
  plan.restore(before_);
  return plan.has_completed();
}

std::vector<HookRunner::Failure> HookRunner::failures() const {
  std::vector<Failure> out;
  for (const auto& [phase, each] : phases_) {
    const HookRule* failed = each.plan.failed_hook();
    if (failed == nullptr) continue;
    const auto end = last_ends_.find(failed->name);
    out.push_back({phase, failed->name, end == last_ends_.end() ? "" : end->second});
  }
  return out;
}

}  // namespace heddle::commands
