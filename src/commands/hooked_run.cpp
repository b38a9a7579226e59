#include "commands/hooked_run.hpp"

#include <algorithm>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <fmt/format.h>

#include "base/rethrow_bug.hpp"

namespace heddle::commands {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::milliseconds kTimeForOutput{1000};
// For the hooks of the end of a run that is ended by force, however late that is.
constexpr std::chrono::milliseconds kShortestEnd{1000};
constexpr std::chrono::milliseconds kSureEnd{5000};
constexpr std::string_view kHookFailed = "hook_failed";
constexpr std::string_view kDeadlineExceeded = "deadline_exceeded";

std::string text_of(const HookCrew::Failure& failure) {
  return fmt::format("{} hook '{}': {}", to_text(failure.phase), failure.hook, failure.message);
}

// One more of those who run hooks beside the work.
class Beside {
 public:
  Beside(int& count, Doorbell& news) : count_(count), news_(news) { ++count_; }
  ~Beside() {
    --count_;
    news_.ring();
  }
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;

 private:
  int& count_;
  Doorbell& news_;
};

}  // namespace

HookedRun::HookedRun(RunParts parts, const Job& job, const Run& run)
    : parts_(std::move(parts)), job_(job), run_(run) {}

Async<Status> HookedRun::recall() {
  if (course_) co_return Done{};
  auto history = co_await parts_.journal.program_history(run_.id);
  if (!history) co_return std::move(history).error();
  crew_ = std::make_shared<HookCrew>(parts_, job_, run_.id);
  auto restored = co_await crew_->restore(std::move(history->hooks));
  if (!restored) co_return restored;
  auto settled = co_await settle_interrupted(history->processes);
  if (!settled) co_return settled;
  processes_ = std::move(history->processes);
  course_ = history->course.value_or(RunCourse{});
  keep_deadline();
  co_return Done{};
}

// What a former daemon had running died with it.
Async<Status> HookedRun::settle_interrupted(std::vector<ProcessRecord>& processes) {
  for (ProcessRecord& process : processes) {
    if (process.state != ProcessState::running) continue;
    process.state = ProcessState::interrupted;
    process.ended_at = parts_.clock.now();
    process.problem = "killed with the daemon";
    ProcessRecord interrupted = process;
    auto noted = co_await parts_.journal.note_process(std::move(interrupted));
    if (!noted) co_return noted;
  }
  co_return Done{};
}

Async<Status> HookedRun::note(RunStage stage) {
  RunCourse course;
  course.stage = stage;
  course.verdict = course_->verdict;
  RunCourse noted = course;
  auto done = co_await parts_.journal.note_course(run_.id, std::move(noted));
  if (done) course_ = std::move(course);
  co_return done;
}

Async<Result<bool>> HookedRun::prepare() {
  const auto self = shared_from_this();
  auto recalled = co_await recall();
  if (!recalled) co_return std::move(recalled).error();
  if (course_->stage != RunStage::preparing) co_return course_->stage == RunStage::working;
  auto begun = co_await note(RunStage::preparing);
  if (!begun) co_return std::move(begun).error();
  if (!ending_ && !is_past_deadline_) co_await crew_->run_phase(HookPhase::pre_start);
  if (crew_->trouble()) co_return *crew_->trouble();
  const bool is_decided = is_past_deadline_ || !crew_->failures().empty();
  if (ending_ == Ending::leave || (ending_ == Ending::pause && !is_decided)) co_return false;
  decide_before_work();
  const bool may_begin = !course_->verdict;
  auto noted = co_await note(may_begin ? RunStage::working : RunStage::winding_up);
  if (!noted) co_return std::move(noted).error();
  co_return may_begin;
}

// Whether there is a reason not to begin.
void HookedRun::decide_before_work() {
  const auto failures = crew_->failures();
  if (is_past_deadline_) {
    fail(std::string(kDeadlineExceeded), "its deadline passed before it began");
  } else if (!failures.empty()) {
    fail(std::string(kHookFailed), text_of(failures.front()));
  } else if (is_to_end()) {
    RunVerdict verdict;
    verdict.state = *ending_ == Ending::cancel ? RunState::cancelled : RunState::stopped;
    course_->verdict = verdict;
  }
  if (course_->verdict) course_->verdict->never_started = !crew_->is_through(HookPhase::pre_start);
}

void HookedRun::fail(std::string reason, std::string message) {
  RunVerdict verdict = course_->verdict.value_or(RunVerdict{});
  verdict.state = RunState::failed;
  verdict.reason = std::move(reason);
  verdict.message = std::move(message);
  course_->verdict = std::move(verdict);
}

Async<Result<HookedEnd>> HookedRun::carry_out(MakeWork make_work) {
  const auto self = shared_from_this();
  auto end = co_await go_through(std::move(make_work));
  // Whoever tries again must not meet hooks of this try.
  if (!end && crew_ != nullptr) crew_->kill_running();
  if (crew_ != nullptr) co_await crew_->wait_for_all();
  is_over_ = true;
  has_ended_ = true;
  news_.ring();
  if (crew_ != nullptr) crew_->news().ring();
  co_return end;
}

Async<Result<HookedEnd>> HookedRun::go_through(MakeWork make_work) {
  auto may_begin = co_await prepare();
  if (!may_begin) co_return std::move(may_begin).error();
  HookedEnd end;
  if (course_->stage == RunStage::working) {
    work_ = make_work(processes_);
    auto result = co_await work();
    if (!result) co_return std::move(result).error();
    end.end = result->end;
  } else if (course_->stage == RunStage::preparing) {
    end.end = ending_ == Ending::pause ? WorkEnd::paused : WorkEnd::interrupted;
  }
  if (is_abandoned_) end.end = WorkEnd::interrupted;
  if (end.end != WorkEnd::done) co_return end;
  begin_end();
  RunVerdict told = *course_->verdict;
  // Whoever decided it without a daemon did not know how far it had come.
  if (crew_->is_through(HookPhase::pre_start)) told.never_started = false;
  co_await crew_->run_post_stop(std::move(told));
  co_await crew_->wait_for_all();
  if (crew_->trouble()) co_return *crew_->trouble();
  co_await parts_.house.book.settle(kTimeForOutput);
  end = finish();
  if (is_abandoned_) end.end = WorkEnd::interrupted;
  co_return end;
}

Async<Result<WorkResult>> HookedRun::work() {
  std::function<void()> on_started = [this] {
    asio::co_spawn(parts_.loop, run_post_start(shared_from_this()), rethrow_bug);
  };
  if (ending_) end_work();  // asked for before there was anything to end
  if (is_forced_ || is_past_deadline_) work_->force();
  asio::co_spawn(parts_.loop, watch_failures(shared_from_this()), rethrow_bug);
  auto result = co_await work_->work(std::move(on_started));
  if (!result) co_return std::move(result).error();
  if (result->end != WorkEnd::done) co_return result;
  is_work_over_ = true;
  do {  // the hooks of its end are told how it ended, other hooks included
    co_await wait_for_hooks_beside();
    co_await crew_->wait_until_judged();
  } while (hooks_beside_ > 0);
  course_->verdict = result->verdict;
  const bool has_succeeded = course_->verdict->state == RunState::completed;
  if (is_past_deadline_ && !has_succeeded)
    fail(std::string(kDeadlineExceeded),
         fmt::format("deadline = {}: whatever ran was killed",
                     to_short_text(job_.program.deadline.value_or(std::chrono::milliseconds(0)))));
  else if (const auto failures = crew_->failures(); !failures.empty())
    fail(std::string(kHookFailed), text_of(failures.front()));
  auto noted = co_await note(RunStage::winding_up);
  if (!noted) co_return std::move(noted).error();
  co_return result;
}

// Of those who run them, not of async hooks.
Async<void> HookedRun::wait_for_hooks_beside() {
  while (hooks_beside_ > 0) co_await news_.wait();
}

Async<void> HookedRun::run_post_start(std::shared_ptr<HookedRun> self) {
  const bool is_for_nothing = self->is_to_end() || self->is_forced_ || self->is_past_deadline_;
  if (is_for_nothing || self->is_over_) co_return;
  const Beside beside(self->hooks_beside_, self->news_);
  co_await self->crew_->run_phase(HookPhase::post_start);
}

// A hook that fails ends the work, also one that runs beside it. Nobody asked for that: the run
// counts as failed, whatever its work says.
Async<void> HookedRun::watch_failures(std::shared_ptr<HookedRun> self) {
  HookCrew& crew = *self->crew_;
  const auto has_failed = [&crew] {
    return crew.has_failed(HookPhase::pre_start) || crew.has_failed(HookPhase::post_start);
  };
  while (!self->is_over_ && !self->is_work_over_ && !self->is_to_end()) {
    if (has_failed()) co_return self->end_now(Ending::stop);
    co_await crew.news().wait();
  }
}

Async<void> HookedRun::run_pre_stop(std::shared_ptr<HookedRun> self) {
  const Beside beside(self->hooks_beside_, self->news_);
  co_await self->crew_->run_phase(HookPhase::pre_stop);
  self->end_now(Ending::stop);
}

void HookedRun::end(Ending how) {
  if (how == Ending::stop && !stop_by_)
    stop_by_ = std::chrono::steady_clock::now() + job_.stop_timeout;
  if (is_to_end() || is_over_) return;
  ending_ = how;
  const bool is_final = how == Ending::cancel || how == Ending::stop;
  const bool is_preparing = course_ && course_->stage == RunStage::preparing;
  if (is_final && (is_preparing || is_work_over_)) crew_->end_beside(job_.stop_timeout);
  // The hook in progress finishes; whoever goes on with the run goes on with the next one.
  const bool is_held = how == Ending::leave || (how == Ending::pause && is_preparing);
  if (is_held && crew_ != nullptr) crew_->skip_rest();
  if (work_ != nullptr && !is_work_over_) end_work();
}

// A stop is announced to the hooks first.
void HookedRun::end_work() {
  if (*ending_ == Ending::stop && !is_forced_)
    asio::co_spawn(parts_.loop, run_pre_stop(shared_from_this()), rethrow_bug);
  else
    end_now(*ending_);
}

// What runs beside the work ends with it when it is not to be gone on with.
void HookedRun::end_now(Ending how) {
  work_->end(how);
  if (how == Ending::cancel || how == Ending::stop) crew_->end_beside(job_.stop_timeout);
}

void HookedRun::force() {
  is_forced_ = true;
  if (!stop_by_) stop_by_ = std::chrono::steady_clock::now() + job_.stop_timeout;
  if (!is_to_end() && !is_over_) ending_ = Ending::stop;
  if (crew_ != nullptr) {
    crew_->skip_rest();
    crew_->kill_before_end();
    crew_->hurry_end();
  }
  if (is_over_) return bound_end();
  if (work_ != nullptr) work_->force();
}

void HookedRun::begin_end() {
  is_over_ = true;
  crew_->news().ring();
  if (!is_forced_) return;
  crew_->hurry_end();
  bound_end();
}

void HookedRun::bound_end() {
  if (!std::exchange(is_end_bounded_, true))
    asio::co_spawn(parts_.loop, watch_end(shared_from_this()), rethrow_bug);
}

Async<void> HookedRun::watch_end(std::shared_ptr<HookedRun> self) {
  const auto sure = std::clamp(self->job_.stop_timeout, kShortestEnd, kSureEnd);
  const Deadline deadline = std::max(*self->stop_by_, std::chrono::steady_clock::now() + sure);
  while (!self->has_ended_ && std::chrono::steady_clock::now() < deadline)
    co_await self->news_.wait(deadline);
  if (!self->has_ended_) self->crew_->cut_end();
}

void HookedRun::abandon() {
  is_abandoned_ = true;
  if (!ending_ || *ending_ == Ending::pause) ending_ = Ending::leave;
  if (crew_ != nullptr) crew_->abandon();
  if (work_ != nullptr && !is_over_) work_->force();
}

// Counted from the start of the run, whoever carries it out.
void HookedRun::keep_deadline() {
  const bool has_deadline = job_.kind == JobKind::command && job_.program.deadline;
  if (!has_deadline || course_->stage == RunStage::winding_up) return;
  const auto left = run_.started_at + *job_.program.deadline - parts_.clock.now();
  asio::co_spawn(parts_.loop,
                 watch_deadline(shared_from_this(), std::chrono::steady_clock::now() + left),
                 rethrow_bug);
}

Async<void> HookedRun::watch_deadline(std::shared_ptr<HookedRun> self, Deadline deadline) {
  while (!self->is_over_ && std::chrono::steady_clock::now() < deadline)
    co_await self->news_.wait(deadline);
  if (self->is_over_) co_return;
  self->is_past_deadline_ = true;
  self->crew_->skip_rest();
  self->crew_->kill_before_end();
  if (self->work_ != nullptr) self->work_->force();
}

HookedEnd HookedRun::finish() const {
  HookedEnd end;
  end.verdict = *course_->verdict;
  for (const HookCrew::Failure& failure : crew_->failures()) {
    end.errors.push_back({std::string(kHookFailed), text_of(failure), ""});
    end.verdict.state = RunState::failed;
  }
  const bool is_told = end.verdict.reason.empty() || end.verdict.reason == kHookFailed;
  if (!is_told)
    end.errors.insert(end.errors.begin(), {end.verdict.reason, end.verdict.message, ""});
  return end;
}

}  // namespace heddle::commands
