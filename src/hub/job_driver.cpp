#include "hub/job_driver.hpp"

#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <fmt/format.h>

#include "base/rethrow_bug.hpp"
#include "lifecycle/check_state.hpp"
#include "lifecycle/run_keeper.hpp"
#include "model/retry.hpp"

namespace heddle::hub {

using lifecycle::JobAction;
using lifecycle::JobStep;

namespace {

bool is_of_letters(const Run& run) {
  return run.trigger == lifecycle::kDeadLetterTrigger;
}

}  // namespace

class JobDriver::Busy {
 public:
  Busy(JobDriver& driver, Entry& entry) : driver_(driver), entry_(entry) {
    ++entry_.busy;
    ++driver_.busy_;
  }
  ~Busy() {
    --entry_.busy;
    --driver_.busy_;
    if (entry_.is_waiting && !entry_.is_busy()) driver_.wait_for_place(entry_);
    driver_.start_waiting();
    driver_.run_over_.ring();
  }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  JobDriver& driver_;
  Entry& entry_;
};

JobDriver::BusyEntry JobDriver::make_busy(Entry& entry) {
  return std::make_shared<Busy>(*this, entry);
}

JobDriver::JobDriver(boost::asio::any_io_executor loop, DriverParts parts, DriverRules rules)
    : loop_(std::move(loop)),
      parts_(std::move(parts)),
      rules_(rules),
      keeper_(parts_.store, parts_.clock),
      timetable_(parts_.zone_database) {}

JobDriver::~JobDriver() = default;

Async<Status> JobDriver::load() {
  return keeper_.load();
}

void JobDriver::leave() {
  is_leaving_ = true;
  planned_.ring();
}

Async<void> JobDriver::idle() {
  while (busy_ > 0) co_await run_over_.wait();
}

const Job* JobDriver::find_job(const JobId& job) const {
  const auto found = entries_.find(job);
  return found == entries_.end() || !found->second->is_there ? nullptr : &found->second->job;
}

JobDriver::Entry* JobDriver::find_entry(const JobId& job) {
  const auto found = entries_.find(job);
  return found == entries_.end() ? nullptr : found->second.get();
}

// One that was deleted while somebody waited allows nothing.
const JobLife& JobDriver::life_of(const JobId& job) const {
  static const JobLife gone = [] {
    JobLife life;
    life.state = JobState::archived;
    return life;
  }();
  const JobLife* life = keeper_.find(job);
  return life == nullptr ? gone : *life;
}

const JobLife& JobDriver::life_of(const Entry& entry) const {
  return life_of(entry.job.id);
}

void JobDriver::spawn(Async<void> work) {
  boost::asio::co_spawn(loop_, std::move(work), rethrow_bug);
}

Async<Result<FinishedRun>> JobDriver::run_now(JobId job, RunFollower* follower,
                                              std::function<void(const Run&)> on_begun) {
  Wish wish;
  wish.trigger = "manual";
  wish.follower = follower;
  wish.on_begun = std::move(on_begun);
  co_return co_await run_wish(std::move(job), std::move(wish));
}

Async<Result<FinishedRun>> JobDriver::retry_letters(JobId job, std::vector<LetterId> letters,
                                                    RunFollower* follower,
                                                    std::function<void(const Run&)> on_begun) {
  Wish wish;
  wish.trigger = lifecycle::kDeadLetterTrigger;
  wish.follower = follower;
  wish.on_begun = std::move(on_begun);
  wish.letters = std::move(letters);
  wish.run = RunId{make_unique_id(parts_.clock.now())};
  co_return co_await run_wish(std::move(job), std::move(wish));
}

Async<Result<FinishedRun>> JobDriver::run_wish(JobId job, Wish wish) {
  Entry* entry = find_entry(job);
  if (entry == nullptr) co_return Error{ErrorCode::not_found, "there is no job '" + job.text + "'"};
  if (entry->is_busy())
    co_return Error{ErrorCode::conflict,
                    lifecycle::refusal(entry->job.name, life_of(*entry), JobAction::trigger)};
  auto busy = make_busy(*entry);
  auto day = co_await claim_day(*entry);
  if (!day) co_return std::move(day).error();
  wish.pages_left = day->pages_left;
  auto entered = co_await enter(*entry, wish.trigger, wish.run);
  if (!entered) co_return std::move(entered).error();
  co_return co_await run(*entry, std::move(wish), std::move(busy));
}

Async<void> JobDriver::start(Entry& entry, std::string trigger) {
  --starting_;
  auto busy = make_busy(entry);
  const auto day = co_await claim_day(entry);
  if (!day) co_return parts_.log.info(day.error().message);
  auto entered = co_await enter(entry, trigger);
  if (!entered) {
    // Somebody paused or stopped it meanwhile, or the store cannot be written.
    parts_.log.warn(entered.error().message);
    if (is_storage_full_) co_await hold(entry.job.id);
    co_return;
  }
  if (parts_.on_begun_late && trigger == "time")
    parts_.on_begun_late(parts_.clock.now() - entry.waiting_since);
  Wish wish;
  wish.trigger = std::move(trigger);
  wish.pages_left = day->pages_left;
  auto finished = co_await run(entry, std::move(wish), std::move(busy));
  if (!finished)
    parts_.log.error(fmt::format("job '{}': {}", entry.job.name, finished.error().message));
}

// The first step of every run.
Async<Result<JobLife>> JobDriver::enter(Entry& entry, std::string trigger,
                                        std::optional<RunId> run) {
  if (is_storage_full_)
    co_return Error{ErrorCode::conflict,
                    fmt::format("job '{}': no run begins while storage is full; `heddle status` "
                                "shows it, `limits.storage` and `[retention]` rule it",
                                entry.job.name)};
  const bool is_retry = trigger == "retry";
  const bool is_of_letters = trigger == lifecycle::kDeadLetterTrigger;
  std::vector<JobStep> steps(1, JobStep{JobAction::trigger});
  steps.front().why = std::move(trigger);
  steps.front().run = std::move(run);
  lifecycle::JobKeeper::Edit also = [this, &entry, is_retry, is_of_letters](JobChange& change) {
    JobLife& life = change.now;
    life.handled_until = timetable_.handled_until(entry.number);
    life.revision = entry.job.revision;
    if (is_of_letters) return;
    if (!is_retry) life.attempt = 0;
    entry.retry_at.reset();
  };
  auto taken = keeper_.take(entry.job.id, std::move(steps), std::move(also));
  co_return co_await std::move(taken);
}

Async<Result<FinishedRun>> JobDriver::run(Entry& entry, Wish wish, BusyEntry busy) {
  const BusyEntry until_the_end = std::move(busy);
  auto begun = co_await begin(entry, wish);
  if (!begun) co_return std::move(begun).error();
  lifecycle::JobKeeper::Decide begin = [id = begun->id](const JobLife& life) -> Result<Steps> {
    Steps steps;
    if (life.state != JobState::starting) return steps;  // cancelled or stopped meanwhile
    steps.push_back(JobStep{JobAction::begin});
    steps.back().run = id;
    return steps;
  };
  const lifecycle::JobKeeper::Edit nothing_else;
  const auto life = co_await insist(entry, begin, nothing_else);
  if (!life) co_return life.error();
  if (life->state != JobState::running) co_return co_await drop_run(entry, std::move(*begun));
  co_return co_await work(entry, std::move(*begun), std::move(wish));
}

Async<Result<Run>> JobDriver::begin(Entry& entry, Wish& wish) {
  Job job = entry.job;
  if (wish.run) {
    if (wish.pages_left && std::cmp_less(*wish.pages_left, wish.letters.size()))
      wish.letters.resize(static_cast<std::size_t>(*wish.pages_left));
    auto begun =
        co_await parts_.office.begin_of_letters(std::move(job), *wish.run, std::move(wish.letters));
    if (begun) co_return begun;
    auto called_off = co_await call_off(entry);
    if (!called_off) parts_.log.error(called_off.error().message);
    co_return begun;
  }
  auto begun = co_await parts_.office.begin(std::move(job), wish.trigger,
                                            life_of(entry).attempt + 1, wish.pages_left);
  if (!begun) co_await give_up(entry, begun.error());
  co_return begun;
}

// Its run of letters was never written down: they are still there, and the job has not failed.
Async<Status> JobDriver::call_off(Entry& entry) {
  lifecycle::JobKeeper::Decide cancel = [this, &entry](const JobLife& life) -> Result<Steps> {
    if (life.state == JobState::stopping) return Steps(1, JobStep{JobAction::wind_up});
    if (life.state != JobState::starting) return Steps();
    return steps_into_schedule(entry, JobAction::cancel);
  };
  lifecycle::JobKeeper::Edit also = [](JobChange& change) { change.now.run.reset(); };
  const auto done = co_await insist(entry, cancel, also);
  co_return done ? Status(Done{}) : Status(done.error());
}

// It was called off before any page was begun.
Async<Result<FinishedRun>> JobDriver::drop_run(Entry& entry, Run run) {
  const bool is_stopped = life_of(entry).state != JobState::scheduled;
  auto ended = co_await end_in_spite_of_store(entry, run.id,
                                              is_stopped ? RunState::stopped : RunState::cancelled);
  if (!ended) co_return std::move(ended).error();
  FinishedRun finished;
  finished.run = std::move(*ended);
  auto settled = co_await settle(entry, finished);
  if (!settled) co_return std::move(settled).error();
  co_return finished;
}

// What was asked for between the step into `running` and this moment has not reached the office.
void JobDriver::halt_if_unwanted(const Entry& entry, const RunId& run) {
  switch (life_of(entry).state) {
    case JobState::running:
      return;
    case JobState::paused:
      return parts_.office.halt(run, Halt::pause);
    case JobState::scheduled:
      return parts_.office.halt(run, Halt::cancel);
    default:
      return parts_.office.halt(run, Halt::stop);
  }
}

Async<Result<FinishedRun>> JobDriver::work(Entry& entry, Run run, Wish wish) {
  entry.run = run.id;
  std::function<void()> on_listed = [this, &entry, &run, &wish] {
    if (wish.on_begun) wish.on_begun(run);
    halt_if_unwanted(entry, run.id);
  };
  auto finished = co_await work_in_spite_of_store(entry, run, wish.follower, on_listed);
  entry.run.reset();
  if (!finished) {
    co_await give_up(entry, finished.error());
    co_return std::move(finished).error();
  }
  if (finished->is_interrupted) co_return std::move(*finished);
  auto settled = co_await settle(entry, *finished);
  if (!settled) co_return std::move(settled).error();
  co_return std::move(*finished);
}

Async<void> JobDriver::go_on(Entry& entry, Run run, BusyEntry busy) {
  const BusyEntry until_the_end = std::move(busy);
  Wish nobody_follows;
  auto finished = co_await work(entry, std::move(run), std::move(nobody_follows));
  if (!finished)
    parts_.log.error(fmt::format("job '{}': {}", entry.job.name, finished.error().message));
  else if (!finished->is_interrupted)
    parts_.log.info(fmt::format("job '{}': run {}", entry.job.name, to_text(finished->run.state)));
}

Async<Status> JobDriver::settle(Entry& entry, const FinishedRun& finished) {
  auto quota = co_await quota_of(entry);
  if (!quota) {  // looked at again before the next run
    parts_.log.warn(quota.error().message);
    quota = lifecycle::DayQuota{};
  }
  lifecycle::JobKeeper::Decide next = [this, &entry, &finished, &quota](const JobLife& life) {
    return Result<Steps>(steps_after(entry, life, finished, *quota));
  };
  lifecycle::JobKeeper::Edit also = [this, &entry, &finished, &quota](JobChange& change) {
    if (finished.is_paused) return;
    JobLife& life = change.now;
    if (life.pause_reason == PauseReason::quota) life.next_run_at = quota->day.end;
    if (life.run == finished.run.id) life.run.reset();
    if (is_of_letters(finished.run)) return;
    life.attempt = entry.retry_at ? life.attempt + 1 : 0;
    lifecycle::note_run_end(entry.job, finished.run, finished.is_quarantined, change);
  };
  const auto settled = co_await insist(entry, next, also);
  if (!settled) co_return settled.error();
  if (waits_for_day(entry)) wait_for_day(entry, quota->day.end);
  if (!finished.is_paused && !is_of_letters(finished.run))
    tell_followers(entry.job.id, finished.run.state);
  if (parts_.on_run_ended && !finished.is_paused) parts_.on_run_ended(entry.job, finished);
  if (parts_.on_run_over) parts_.on_run_over();
  co_return Done{};
}

JobDriver::Steps JobDriver::steps_after(Entry& entry, const JobLife& life,
                                        const FinishedRun& finished,
                                        const lifecycle::DayQuota& quota) {
  if (!is_of_letters(finished.run)) entry.retry_at.reset();
  Steps steps;
  const auto add = [&steps](JobAction action) -> JobStep& {
    steps.push_back(JobStep{action});
    return steps.back();
  };
  if (life.state == JobState::stopping) add(JobAction::wind_up);
  // Paused: it keeps its place. Scheduled: it was cancelled, and is planned already.
  if (life.state != JobState::running || finished.is_paused) return steps;
  const RunState end = finished.run.state;
  if (end == RunState::stopped) {
    add(JobAction::stop);
    add(JobAction::wind_up);
    return steps;
  }
  if (end == RunState::cancelled) return steps_into_schedule(entry, JobAction::cancel);
  add(end == RunState::failed ? JobAction::fail : JobAction::complete);
  if (finished.is_quarantined && end == RunState::failed) {
    add(JobAction::pause).pause_reason = PauseReason::quarantined;
    timetable_.pause(entry.number);
    return steps;
  }
  if (!entry.job.enabled || !entry.is_there) return steps;
  if (end == RunState::failed && life.attempt < entry.job.retry.runs &&
      !is_of_letters(finished.run)) {
    RetryPolicy policy = entry.job.retry;
    policy.max = policy.runs;
    FailedTry failed;
    failed.attempt = life.attempt + 1;
    failed.transient = true;
    if (const auto wait = next_try(policy, failed, 0)) entry.retry_at = parts_.clock.now() + *wait;
  }
  plan_next(entry, quota, steps);
  if (!quota.used_up) pause_if_full(entry, steps);
  return steps;
}

// The next run, or the end of a day in which the job has done all it may.
void JobDriver::plan_next(Entry& entry, const lifecycle::DayQuota& quota, Steps& steps) {
  if (quota.used_up) entry.retry_at.reset();
  steps.push_back(JobStep{JobAction::reschedule});
  steps.back().next_run_at = plan(entry);
  if (!quota.used_up) return;
  steps.push_back(JobStep{JobAction::pause});
  steps.back().pause_reason = PauseReason::quota;
  steps.back().why = *quota.used_up + " is used up for today";
}

void JobDriver::tell_followers(const JobId& job, RunState state) {
  const bool is_completed = state == RunState::completed || state == RunState::limited;
  if (!is_completed && state != RunState::failed) return;
  const auto end = is_completed ? schedule::RunEnd::completed : schedule::RunEnd::failed;
  for (const JobId& follower : dependencies_.started_by(job, end)) {
    Entry* entry = find_entry(follower);
    if (entry == nullptr || !entry->is_there || !entry->job.enabled) continue;
    // One that is paused or stopped is not waited for.
    const JobLife& life = life_of(*entry);
    if (entry->is_busy() ||
        lifecycle::find_row(life.state, JobAction::trigger, life.run.has_value()))
      want_run(*entry, "after", parts_.clock.now());
  }
}

}  // namespace heddle::hub
