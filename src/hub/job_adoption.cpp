// JobDriver: which jobs there are, and what a former daemon left of them.
#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/do_all.hpp"
#include "hub/job_driver.hpp"
#include "lifecycle/run_keeper.hpp"

namespace heddle::hub {

using lifecycle::JobAction;
using lifecycle::JobKeeper;
using lifecycle::JobStep;

namespace {

// So many at a time, for the store to write them together.
constexpr std::size_t kAdoptedTogether = 64;

bool is_over(JobState state) {
  return state == JobState::stopped || state == JobState::archived;
}

// `pause_missing` leaves these alone: nothing starts by itself.
bool is_at_rest(JobState state) {
  using enum JobState;
  return state == created || state == completed || state == paused || is_over(state);
}

}  // namespace

Async<Status> JobDriver::adopt(std::vector<Job> jobs) {
  std::set<JobId> wanted;
  for (const Job& job : jobs) wanted.insert(job.id);
  std::vector<JobId> gone;
  for (const auto& [id, life] : keeper_.all())
    if (!wanted.contains(id)) gone.push_back(id);
  for (JobId& id : gone) {
    auto paused = co_await pause_missing(std::move(id));
    if (!paused) co_return paused;
  }
  for (const Job& job : jobs) dependencies_.set(job.id, job.after);

  // Counted first: only when many have missed a run are they spread.
  const WallTime now = parts_.clock.now();
  std::size_t behind = 0;
  spread_ = std::chrono::milliseconds(0);
  for (const Job& job : jobs) {
    Entry& entry = entry_of(job);
    const JobLife* life = keeper_.find(job.id);
    const bool is_planned = life != nullptr && life->state == JobState::scheduled;
    if (is_planned && timetable_.plan(entry.number, now, spread_) &&
        timetable_.is_catch_up(entry.number))
      ++behind;
    timetable_.pause(entry.number);
  }
  spread_ = schedule::spread_for(behind, rules_.runs_in_parallel, rules_.misfire_spread);

  Status worst = Done{};
  std::function<Async<void>(std::size_t)> one = [&](std::size_t index) {
    return adopt_one(std::move(jobs[index]), worst);
  };
  co_await do_all(jobs.size(), kAdoptedTogether, std::move(one));
  co_return worst;
}

Async<void> JobDriver::adopt_one(Job job, Status& worst) {
  auto adopted = co_await adopt_job(std::move(job));
  if (!adopted) worst = std::move(adopted);
}

// Entries stay for good: whoever works on one may rely on it.
JobDriver::Entry& JobDriver::entry_of(Job job) {
  auto& entry = entries_[job.id];
  const bool is_new = entry == nullptr;
  if (is_new) {
    entry = std::make_unique<Entry>();
    entry->number = static_cast<JobNumber>(by_number_.size());
    by_number_.push_back(entry.get());
  }
  entry->job = std::move(job);
  entry->is_there = true;
  if (auto set = timetable_.set(entry->number, entry->job); !set)
    parts_.log.error(set.error().message);
  const JobLife* life = keeper_.find(entry->job.id);
  if (is_new && life != nullptr) {
    timetable_.set_handled(entry->number, life->handled_until);
    if (life->attempt > 0) entry->retry_at = life->next_run_at;
  }
  return *entry;
}

Async<Status> JobDriver::adopt_job(Job job) {
  Entry& entry = entry_of(std::move(job));
  auto created = co_await keeper_.create(entry.job.id, entry.job.revision);
  if (!created) co_return created;
  co_return co_await sync(entry);
}

// Brings the job's life into line with its configuration.
Async<Status> JobDriver::sync(Entry& entry) {
  if (keeper_.find(entry.job.id) == nullptr) co_return Done{};  // deleted meanwhile
  if (waits_for_day(entry)) co_return co_await look_at_day(entry);
  const JobLife life = life_of(entry);
  const bool is_wanted_back =
      life.state == JobState::paused &&
      (life.pause_reason == PauseReason::missing ||
       (life.pause_reason == PauseReason::storage_full && !is_storage_full_) ||
       (life.pause_reason == PauseReason::quarantined && life.revision != entry.job.revision));
  if (is_wanted_back && entry.is_busy()) {
    spawn(resume_when_idle(entry));
    co_return Done{};
  }
  if (is_wanted_back) {
    const auto resumed = co_await resume(entry);
    co_return resumed ? Status(Done{}) : Status(resumed.error());
  }
  JobKeeper::Decide decide = [this, &entry](const JobLife& now) -> Result<Steps> {
    const bool is_enabled = entry.job.enabled;
    if (now.state == JobState::created && is_enabled)
      return steps_into_schedule(entry, JobAction::enable);
    if ((now.state == JobState::completed || now.state == JobState::failed) && is_enabled)
      return steps_into_schedule(entry, JobAction::reschedule);
    if (now.state == JobState::scheduled && !is_enabled) {
      timetable_.pause(entry.number);
      return Steps(1, JobStep{JobAction::disable});
    }
    return Steps();
  };
  JobKeeper::Edit also = [this, &entry](JobChange& change) {
    JobLife& now = change.now;
    if (now.state == JobState::scheduled) now.next_run_at = plan(entry);
    // Ticks that come during a run count, too: `overlap` decides about them.
    if (entry.is_busy() && entry.job.enabled) plan(entry);
    now.handled_until = timetable_.handled_until(entry.number);
  };
  auto taken = keeper_.decide(entry.job.id, std::move(decide), std::move(also));
  const auto synced = co_await std::move(taken);
  co_return synced ? Status(Done{}) : Status(synced.error());
}

// Pages in flight may take their time: nobody else waits for them.
Async<void> JobDriver::resume_when_idle(Entry& entry) {
  while (entry.is_busy() && life_of(entry).state == JobState::paused && !is_leaving_)
    co_await run_over_.wait();
  if (is_leaving_ || !entry.is_there) co_return;
  const auto synced = co_await sync(entry);
  if (!synced) parts_.log.warn(synced.error().message);
}

// Its files may be back, or in order again, later.
Async<Status> JobDriver::pause_missing(JobId job) {
  Entry* entry = find_entry(job);
  if (entry != nullptr) {
    entry->is_there = false;
    timetable_.pause(entry->number);
  }
  if (is_at_rest(life_of(job).state)) co_return Done{};
  parts_.log.warn(fmt::format(
      "job '{}' is missing or has mistakes (see `heddle check`): it is paused until that is mended",
      job.text));
  JobKeeper::Decide decide = [](const JobLife& life) -> Result<Steps> {
    Steps steps;
    if (is_at_rest(life.state) || life.state == JobState::stopping) return steps;
    if (life.state == JobState::starting) steps.push_back(JobStep{JobAction::cancel});
    steps.push_back(JobStep{JobAction::pause});
    steps.back().pause_reason = PauseReason::missing;
    return steps;
  };
  auto taken = keeper_.decide(std::move(job), std::move(decide));
  const auto paused = co_await std::move(taken);
  if (!paused && paused.error().code == ErrorCode::not_found) co_return Done{};  // deleted
  if (!paused) co_return paused.error();
  if (entry != nullptr && entry->run) parts_.office.halt(*entry->run, Halt::pause);
  co_return Done{};
}

Async<Status> JobDriver::take_up_leftovers() {
  auto unfinished = co_await parts_.store.unfinished_runs();
  if (!unfinished) co_return std::move(unfinished).error();
  std::vector<JobId> jobs;
  for (const auto& [id, life] : keeper_.all()) jobs.push_back(id);
  for (const JobId& job : jobs) {
    const JobLife life = life_of(job);
    Entry* entry = find_entry(job);
    const bool is_unwanted = life.run && (life.state == JobState::scheduled || is_over(life.state));
    RunId run = life.run.value_or(RunId{});
    Status settled = Done{};
    if (life.state == JobState::stopping)
      settled = co_await end_leftover(job, std::move(run), RunState::stopped);
    else if (is_unwanted)
      settled = co_await end_leftover(job, std::move(run), RunState::cancelled);
    else if (entry != nullptr && entry->is_there)
      settled = co_await settle_leftover(*entry, *unfinished);
    if (!settled) co_return settled;
  }
  for (const Run& run : *unfinished) {
    auto settled = co_await settle_stray(run);
    if (!settled) co_return settled;
  }
  co_return Done{};
}

Async<Status> JobDriver::settle_leftover(Entry& entry, const std::vector<Run>& unfinished) {
  const JobLife life = life_of(entry);
  if (life.state != JobState::starting && life.state != JobState::running) co_return Done{};
  // The run of a job that was starting may be written down, but not in the job's life yet.
  const auto found = std::find_if(unfinished.begin(), unfinished.end(), [&life](const Run& run) {
    return life.run ? run.id == *life.run : run.job == life.job;
  });
  if (found != unfinished.end()) co_return co_await take_up(entry, *found);
  if (life.state == JobState::starting && life.run) co_return co_await call_off(entry);
  if (life.state == JobState::starting) {
    spawn(start_again(entry, make_busy(entry)));
    co_return Done{};
  }
  // It ended just before the daemon did.
  FinishedRun finished;
  if (life.run) {
    auto run = co_await parts_.store.find_run(*life.run);
    if (!run) co_return std::move(run).error();
    if (*run) finished.run = std::move(**run);
  }
  if (!is_terminal(finished.run.state)) finished.run.state = RunState::failed;
  co_return co_await settle(entry, finished);
}

// Goes on with a run, from wherever its job stands.
Async<Status> JobDriver::take_up(Entry& entry, const Run& run) {
  BusyEntry busy = make_busy(entry);
  JobKeeper::Decide decide = [&run](const JobLife& life) -> Result<Steps> {
    Steps steps;
    if (life.state == JobState::running) return steps;
    if (life.state != JobState::starting) {
      steps.push_back(JobStep{JobAction::trigger});
      steps.back().why = "restart";
    }
    steps.push_back(JobStep{JobAction::begin});
    steps.back().run = run.id;
    return steps;
  };
  auto taken = keeper_.decide(entry.job.id, std::move(decide));
  const auto begun = co_await std::move(taken);
  if (!begun) co_return begun.error();
  parts_.log.info(fmt::format("job '{}': going on with run {} ({} of {} pages are done)",
                              entry.job.name, run.id.text, run.pages.done, run.pages.total));
  if (entry.job.enabled) plan(entry);  // for the ticks that come meanwhile
  spawn(go_on(entry, run, std::move(busy)));
  co_return Done{};
}

Async<void> JobDriver::start_again(Entry& entry, BusyEntry busy) {
  const auto day = co_await claim_day(entry);
  if (!day) co_return parts_.log.info(day.error().message);
  Wish wish;
  wish.trigger = "restart";
  wish.pages_left = day->pages_left;
  if (entry.job.enabled) plan(entry);
  const auto ended = co_await run(entry, std::move(wish), std::move(busy));
  if (!ended) parts_.log.error(ended.error().message);
}

Async<Result<std::size_t>> JobDriver::settle_interrupted(JobId job) {
  Entry* entry = find_entry(job);
  if (entry == nullptr || life_of(*entry).state == JobState::paused) co_return 0;
  lifecycle::RunKeeper keeper(parts_.store, parts_.clock);
  auto settled = co_await keeper.settle_leftovers(job);
  if (!settled) co_return settled;
  if (life_of(*entry).state == JobState::stopping) {
    RunId none;
    auto ended = co_await end_leftover(std::move(job), std::move(none), RunState::stopped);
    if (!ended) co_return std::move(ended).error();
  } else {
    const Error why{ErrorCode::unavailable, "heddle ended before its run did"};
    co_await give_up(*entry, why);
  }
  co_return settled;
}

Async<Status> JobDriver::end_leftover(JobId job, RunId run, RunState state) {
  if (!run.text.empty()) {
    std::vector<RunError> no_errors;
    auto ended =
        co_await parts_.store.end_run(run, state, std::move(no_errors), parts_.clock.now());
    if (!ended && ended.error().code != ErrorCode::not_found) co_return std::move(ended).error();
  }
  JobKeeper::Decide decide = [](const JobLife& life) -> Result<Steps> {
    if (life.state != JobState::stopping) return Steps();
    return Steps(1, JobStep{JobAction::wind_up});
  };
  JobKeeper::Edit also = [&run](JobChange& change) {
    if (change.now.run == run) change.now.run.reset();
  };
  auto taken = keeper_.decide(std::move(job), std::move(decide), std::move(also));
  const auto done = co_await std::move(taken);
  co_return done ? Status(Done{}) : Status(done.error());
}

// A run that no job's life speaks of: left by a version that kept no lives.
Async<Status> JobDriver::settle_stray(const Run& run) {
  Entry* entry = find_entry(run.job);
  if (entry == nullptr || !entry->is_there) {
    parts_.log.warn(fmt::format(
        "job '{}' is missing or has mistakes (see `heddle check`): its run {} waits, {} "
        "of {} pages are done",
        run.job.text, run.id.text, run.pages.done, run.pages.total));
    co_return Done{};
  }
  const JobLife& life = life_of(*entry);
  if (entry->is_busy() || life.run == run.id) co_return Done{};
  auto taken_up = co_await take_up(*entry, run);
  if (!taken_up) parts_.log.warn(taken_up.error().message);  // paused or stopped
  co_return Done{};
}

}  // namespace heddle::hub
