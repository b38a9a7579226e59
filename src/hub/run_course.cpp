#include "hub/run_course.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "lifecycle/check_state.hpp"
#include "lifecycle/run_keeper.hpp"
#include "model/retry.hpp"

namespace heddle::hub {

using lifecycle::JobAction;
using lifecycle::JobKeeper;
using lifecycle::JobStep;

namespace {

bool is_of_letters(const Run& run) {
  return run.trigger == lifecycle::kDeadLetterTrigger;
}

bool has_given_up(const Run& run) {
  return std::any_of(run.errors.begin(), run.errors.end(),
                     [](const RunError& error) { return error.kind == "gave_up"; });
}

std::string name_of(const JobEntry& entry) {
  return fmt::format("job '{}'", entry.job.name);
}

}  // namespace

Async<Result<JobLife>> RunCourse::enter(JobEntry& entry, std::string trigger,
                                        std::optional<RunId> run, bool was_waiting) {
  if (book_.is_storage_full())
    co_return Error{ErrorCode::conflict,
                    fmt::format("job '{}': no run begins while storage is full; `heddle status` "
                                "shows it, `limits.storage` and `[retention]` rule it",
                                entry.job.name)};
  if (entry.unwritten) co_return not_written(entry);
  const bool is_retry = trigger == "retry";
  const bool is_of_letters = trigger == lifecycle::kDeadLetterTrigger;
  Steps steps(1, JobStep{JobAction::trigger});
  steps.front().why = std::move(trigger);
  steps.front().run = std::move(run);
  if (entry.job.kind == JobKind::service)
    book_.timetable().set_handled(entry.number, parts_.clock.now());
  Edit also = [this, &entry, is_retry, is_of_letters, was_waiting](JobChange& change) {
    JobLife& life = change.now;
    if (was_waiting && !entry.is_waiting) entry.wish.reset();  // unless the next one waits already
    book_.keep_plans(entry, life);
    life.revision = entry.job.revision;
    if (is_of_letters) return;
    if (!is_retry) life.attempt = 0;
    entry.retry_at.reset();
  };
  auto taken = book_.keeper().take(entry.job.id, std::move(steps), std::move(also));
  co_return co_await std::move(taken);
}

Async<Result<FinishedRun>> RunCourse::run(JobEntry& entry, RunWish wish, HeldPlace place) {
  const HeldPlace until_the_end = std::move(place);
  auto begun = co_await begin(entry, wish);
  if (!begun) co_return std::move(begun).error();
  const bool has_course = parts_.offices.of(entry.job).has_course(entry.job);
  if (has_course) {
    auto may_begin = co_await prepare(entry, *begun, wish);
    if (!may_begin) co_return std::move(may_begin).error();
    if (!*may_begin) co_return co_await work(entry, std::move(*begun), std::move(wish));
  }
  entry.run = begun->id;  // before the step: whoever acts on its outcome finds the run
  const Decide begin = [id = begun->id](const JobLife& life) -> Result<Steps> {
    Steps steps;
    if (life.state != JobState::starting) return steps;  // cancelled or stopped meanwhile
    steps.push_back(JobStep{JobAction::begin});
    steps.back().run = id;
    return steps;
  };
  const Edit nothing_else;
  const auto life = co_await insist(entry, begin, nothing_else);
  if (!life || life->state != JobState::running) entry.run.reset();
  if (!life) co_return life.error();
  if (life->state != JobState::running && !has_course)
    co_return co_await drop(entry, std::move(*begun));
  co_return co_await work(entry, std::move(*begun), std::move(wish));
}

// The job's life names the run from here on: it can be cancelled while it is prepared.
Async<Result<bool>> RunCourse::prepare(JobEntry& entry, const Run& run, RunWish& wish) {
  const Decide no_step = [](const JobLife&) -> Result<Steps> { return Steps(); };
  const Edit name_it = [&run](JobChange& change) { change.now.run = run.id; };
  entry.run = run.id;  // before it is named: whoever waits for that finds the run
  const auto named = co_await insist(entry, no_step, name_it);
  if (!named) {
    entry.run.reset();
    co_return named.error();
  }
  std::function<Async<Result<bool>>()> attempt = [this, &entry, &run, &wish] {
    std::function<void()> on_listed = [this, &entry, &run, &wish] {
      if (const auto tell = std::exchange(wish.on_begun, nullptr)) tell(run);
      halt_if_unwanted(entry, run.id);
    };
    return parts_.offices.of(entry.job).prepare(entry.job, run, std::move(on_listed));
  };
  auto prepared = co_await patience_.insist<bool>(name_of(entry), std::move(attempt));
  entry.run.reset();
  if (!prepared) co_await give_up(entry, prepared.error());
  co_return prepared;
}

Async<void> RunCourse::run_unfollowed(JobEntry& entry, RunWish wish, HeldPlace place) {
  const auto finished = co_await run(entry, std::move(wish), std::move(place));
  if (!finished)
    parts_.log.error(fmt::format("job '{}': {}", entry.job.name, finished.error().message));
}

Async<Result<Run>> RunCourse::begin(JobEntry& entry, RunWish& wish) {
  entry.is_taken_up = false;
  Job job = entry.job;
  RunOffice& office = parts_.offices.of(job);
  if (wish.run) {
    if (wish.pages_left && std::cmp_less(*wish.pages_left, wish.letters.size()))
      wish.letters.resize(static_cast<std::size_t>(*wish.pages_left));
    auto begun =
        co_await office.begin_of_letters(std::move(job), *wish.run, std::move(wish.letters));
    if (begun) co_return begun;
    auto called_off = co_await call_off(entry);
    if (!called_off) parts_.log.error(called_off.error().message);
    co_return begun;
  }
  auto begun = co_await office.begin(std::move(job), wish.trigger, book_.life_of(entry).attempt + 1,
                                     wish.pages_left);
  if (!begun) co_await give_up(entry, begun.error());
  co_return begun;
}

Async<Status> RunCourse::call_off(JobEntry& entry) {
  const Decide cancel = [this, &entry](const JobLife& life) -> Result<Steps> {
    if (life.state == JobState::stopping) return Steps(1, JobStep{JobAction::wind_up});
    if (life.state != JobState::starting) return Steps();
    return book_.steps_into_schedule(entry, JobAction::cancel);
  };
  const Edit also = [](JobChange& change) { change.now.run.reset(); };
  const auto done = co_await insist(entry, cancel, also);
  co_return done ? Status(Done{}) : Status(done.error());
}

// It was called off before any page was begun.
Async<Result<FinishedRun>> RunCourse::drop(JobEntry& entry, Run run) {
  const bool is_stopped = book_.life_of(entry).state != JobState::scheduled;
  const RunState state = is_stopped ? RunState::stopped : RunState::cancelled;
  std::function<Async<Result<Run>>()> end = [this, &run, state] {
    return parts_.store.end_run(run.id, state, {}, parts_.clock.now());
  };
  auto ended = co_await patience_.insist<Run>(name_of(entry), std::move(end));
  if (!ended) co_return std::move(ended).error();
  FinishedRun finished;
  finished.run = std::move(*ended);
  auto settled = co_await settle(entry, finished);
  if (!settled) co_return std::move(settled).error();
  co_return finished;
}

// What was asked for between the step into `running` and this moment has not reached the office.
void RunCourse::halt_if_unwanted(const JobEntry& entry, const RunId& run) {
  RunOffice& office = parts_.offices.of(entry.job);
  if (entry.unwritten)
    return office.halt(run,
                       entry.unwritten->step.action == JobAction::stop ? Halt::stop : Halt::pause);
  switch (book_.life_of(entry).state) {
    case JobState::starting:
    case JobState::running:
      return;
    case JobState::paused:
      return office.halt(run, Halt::pause);
    case JobState::scheduled:
      return office.halt(run, Halt::cancel);
    default:
      return office.halt(run, Halt::stop);
  }
}

Async<Result<FinishedRun>> RunCourse::work(JobEntry& entry, Run run, RunWish wish) {
  entry.run = run.id;
  const auto version = entry.versions;
  auto finished = co_await have_it_done(entry, run, wish);
  entry.run.reset();
  if (!finished) {
    co_await give_up(entry, finished.error());
    co_return std::move(finished).error();
  }
  if (finished->is_interrupted) co_return std::move(*finished);
  auto settled = co_await settle(entry, *finished);
  if (!settled) co_return std::move(settled).error();
  const bool was_mended = !finished->unreadable.empty() && entry.versions != version;
  if (was_mended) owner_.look_again(entry);
  if (!finished->is_paused || !is_unwanted(entry, finished->run.id)) co_return std::move(*finished);
  // Somebody cancelled or stopped it while it came to rest: the office ends it.
  wish.on_begun = nullptr;
  Run left = std::move(finished->run);
  co_return co_await work(entry, std::move(left), std::move(wish));
}

// Nobody will go on with the run, but it has not ended.
bool RunCourse::is_unwanted(const JobEntry& entry, const RunId& run) const {
  const JobLife& life = book_.life_of(entry);
  return life.run == run && (life.state == JobState::scheduled || life.state == JobState::stopping);
}

Async<Result<FinishedRun>> RunCourse::have_it_done(const JobEntry& entry, const Run& run,
                                                   const RunWish& wish) {
  std::function<Async<Result<FinishedRun>>()> attempt = [this, &entry, &run, &wish] {
    std::function<void()> on_listed = [this, &entry, &run, &wish] {
      if (wish.on_begun) wish.on_begun(run);
      halt_if_unwanted(entry, run.id);
    };
    return parts_.offices.of(entry.job).go_on(entry.job, run, wish.follower, std::move(on_listed));
  };
  co_return co_await patience_.insist<FinishedRun>(name_of(entry), std::move(attempt));
}

Async<void> RunCourse::go_on(JobEntry& entry, Run run, HeldPlace place) {
  const HeldPlace until_the_end = std::move(place);
  RunWish nobody_follows;
  auto finished = co_await work(entry, std::move(run), std::move(nobody_follows));
  if (!finished)
    parts_.log.error(fmt::format("job '{}': {}", entry.job.name, finished.error().message));
  else if (!finished->is_interrupted)
    parts_.log.info(fmt::format("job '{}': run {}", entry.job.name, to_text(finished->run.state)));
}

Async<Status> RunCourse::wind_up(JobEntry& entry, Run run) {
  RunWish wish;
  wish.on_begun = [this, &entry](const Run& begun) {
    parts_.offices.of(entry.job).halt(begun.id, Halt::cancel);
  };
  const auto ended = co_await work(entry, std::move(run), std::move(wish));
  co_return ended ? Status(Done{}) : Status(ended.error());
}

Async<Status> RunCourse::settle(JobEntry& entry, const FinishedRun& finished) {
  auto quota = co_await quotas_.of(entry);
  if (!quota) {  // looked at again before the next run
    parts_.log.warn(quota.error().message);
    quota = lifecycle::DayQuota{};
  }
  const Decide next = [this, &entry, &finished, &quota](const JobLife& life) {
    return Result<Steps>(steps_after(entry, life, finished, *quota));
  };
  const Edit also = [this, &entry, &finished, &quota](JobChange& change) {
    if (!finished.is_paused) note_end(entry, finished, *quota, change);
  };
  const auto settled = co_await insist(entry, next, also);
  if (!settled) co_return settled.error();
  if (quotas_.holds(entry)) quotas_.wait_for(entry, quota->day.end);
  if (!finished.unreadable.empty())
    parts_.log.warn(fmt::format("job '{}' is paused until its file is in order: {}", entry.job.name,
                                finished.unreadable));
  if (!finished.is_paused) co_await tell_end(finished);
  if (parts_.on_run_over) parts_.on_run_over();
  co_return Done{};
}

// In the job's life, with the steps that follow from it.
void RunCourse::note_end(const JobEntry& entry, const FinishedRun& finished,
                         const lifecycle::DayQuota& quota, JobChange& change) {
  JobLife& life = change.now;
  book_.keep_plans(entry, life);  // with the ticks that were skipped meanwhile
  if (life.pause_reason == PauseReason::quota) life.next_run_at = quota.day.end;
  if (life.run == finished.run.id) life.run.reset();
  if (is_of_letters(finished.run)) return;
  life.attempt = entry.retry_at ? life.attempt + 1 : 0;
  if (owner_.has_followers(finished.run)) life.untold = finished.run.id;
  lifecycle::note_run_end(entry.job, finished.run, finished.is_quarantined, change);
}

Steps RunCourse::steps_after(JobEntry& entry, const JobLife& life, const FinishedRun& finished,
                             const lifecycle::DayQuota& quota) {
  if (!is_of_letters(finished.run)) entry.retry_at.reset();
  if (finished.is_paused) return steps_into_wait(entry, life, finished);
  if (life.state == JobState::stopping) return {JobStep{JobAction::wind_up}};
  // Paused: it keeps its place. Scheduled: it was cancelled, and is planned already.
  if (life.state != JobState::running && life.state != JobState::starting) return {};
  switch (finished.run.state) {
    case RunState::stopped:
      return {JobStep{JobAction::stop}, JobStep{JobAction::wind_up}};
    case RunState::cancelled:
      return book_.steps_into_schedule(entry, JobAction::cancel);
    default:
      return steps_onward(entry, life, finished, quota);
  }
}

// A run that was left in its middle: somebody paused the job, or nobody could read it.
Steps RunCourse::steps_into_wait(const JobEntry& entry, const JobLife& life,
                                 const FinishedRun& finished) {
  if (life.state != JobState::running || finished.unreadable.empty()) return {};
  JobStep hold{JobAction::pause};
  hold.pause_reason = PauseReason::missing;
  hold.why = finished.unreadable;
  book_.timetable().pause(entry.number);
  return {std::move(hold)};
}

// The run completed or failed: the next one, if there may be one.
Steps RunCourse::steps_onward(JobEntry& entry, const JobLife& life, const FinishedRun& finished,
                              const lifecycle::DayQuota& quota) {
  const bool has_failed = finished.run.state == RunState::failed;
  Steps steps{JobStep{has_failed ? JobAction::fail : JobAction::complete}};
  if (finished.is_quarantined && has_failed) {
    steps.push_back(JobStep{JobAction::pause});
    steps.back().pause_reason = PauseReason::quarantined;
    book_.timetable().pause(entry.number);
    return steps;
  }
  if (!entry.job.enabled || !entry.is_there) return steps;
  if (has_failed && !is_of_letters(finished.run)) plan_retry(entry, life, finished.run);
  plan_next(entry, quota, steps);
  if (!quota.used_up) book_.pause_if_full(entry, steps);
  return steps;
}

// A failed run is tried again as a whole, if it may. A service that was cut short while it started
// did not fail by itself: it runs with this daemon, too.
void RunCourse::plan_retry(JobEntry& entry, const JobLife& life, const Run& failed_run) {
  if (entry.job.kind == JobKind::service && entry.is_taken_up && !has_given_up(failed_run)) {
    entry.retry_at = parts_.clock.now();
    return;
  }
  if (life.attempt >= entry.job.retry.runs) return;
  RetryPolicy policy = entry.job.retry;
  policy.max = policy.runs;
  FailedTry failed;
  failed.attempt = life.attempt + 1;
  failed.transient = true;
  if (const auto wait = next_try(policy, failed, 0)) entry.retry_at = parts_.clock.now() + *wait;
}

// The next run, or the end of a day in which the job has done all it may.
void RunCourse::plan_next(JobEntry& entry, const lifecycle::DayQuota& quota, Steps& steps) {
  if (quota.used_up) entry.retry_at.reset();
  steps.push_back(JobStep{JobAction::reschedule});
  steps.back().next_run_at = book_.plan(entry);
  if (!quota.used_up) return;
  steps.push_back(JobStep{JobAction::pause});
  steps.back().pause_reason = PauseReason::quota;
  steps.back().why = *quota.used_up + " is used up for today";
}

Async<void> RunCourse::give_up(JobEntry& entry, const Error& why) {
  const Decide fail = [this, &entry, &why](const JobLife& life) -> Result<Steps> {
    Steps steps;
    if (life.state != JobState::starting && life.state != JobState::running) return steps;
    steps.push_back(JobStep{JobAction::fail});
    steps.back().why = why.message;
    if (!entry.job.enabled || !entry.is_there) return steps;
    steps.push_back(JobStep{JobAction::reschedule});
    steps.back().next_run_at = book_.plan(entry);
    book_.pause_if_full(entry, steps);
    return steps;
  };
  const Edit nothing_else;
  const auto noted = co_await insist(entry, fail, nothing_else);
  if (!noted) parts_.log.error(fmt::format("job '{}': {}", entry.job.name, noted.error().message));
}

Async<Status> RunCourse::end_idle(JobId job, RunId run, RunState state) {
  FinishedRun finished;
  const WallTime now = parts_.clock.now();
  if (!run.text.empty()) {
    std::vector<RunError> no_errors;
    auto ended = co_await parts_.store.end_run(run, state, std::move(no_errors), now);
    if (!ended && ended.error().code != ErrorCode::not_found) co_return std::move(ended).error();
    if (ended) finished.run = std::move(*ended);
  }
  const bool ends_now = finished.run.ended_at == now;  // and has not ended before
  Decide decide = [](const JobLife& life) -> Result<Steps> {
    if (life.state != JobState::stopping) return Steps();
    return Steps(1, JobStep{JobAction::wind_up});
  };
  Edit also = [&run](JobChange& change) {
    if (change.now.run == run) change.now.run.reset();
  };
  auto taken = book_.keeper().decide(std::move(job), std::move(decide), std::move(also));
  const auto done = co_await std::move(taken);
  if (!done) co_return done.error();
  if (ends_now) co_await tell_end(finished);
  co_return Done{};
}

// One that was ended by force ends once more, when its pages in flight are through.
Async<void> RunCourse::tell_end(const FinishedRun& finished) {
  if (JobEntry* entry = book_.find(finished.run.job)) {
    if (entry->last_ended == finished.run.id) co_return;
    entry->last_ended = finished.run.id;
  }
  co_await owner_.on_ended(finished);
}

Async<Result<std::optional<Run>>> RunCourse::find_with_course(const JobEntry* entry, RunId run) {
  const bool has_course = entry != nullptr && parts_.offices.of(entry->job).has_course(entry->job);
  if (!has_course || run.text.empty()) co_return std::optional<Run>();
  auto found = co_await parts_.store.find_run(std::move(run));
  if (found && *found && (*found)->ended_at) found->reset();
  co_return found;
}

Async<Result<JobLife>> RunCourse::insist(const JobEntry& entry, const Decide& decide,
                                         const Edit& also) {
  std::function<Async<Result<JobLife>>()> attempt = [this, &entry, &decide, &also] {
    return book_.keeper().decide(entry.job.id, decide, also);
  };
  co_return co_await patience_.insist<JobLife>(name_of(entry), std::move(attempt));
}

}  // namespace heddle::hub
