// JobDriver: which jobs there are, and what a former daemon left of them.
#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/do_all.hpp"
#include "hub/job_driver.hpp"
#include "lifecycle/lasting_pause.hpp"

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

// A pause whose reason is gone.
bool is_wanted_back(const JobEntry& entry, const JobLife& life, bool is_storage_full) {
  if (life.state != JobState::paused) return false;
  if (life.pause_reason == PauseReason::missing) return !entry.has_mistakes;
  if (life.pause_reason == PauseReason::storage_full) return !is_storage_full;
  if (life.pause_reason == PauseReason::quarantined) return life.revision != entry.job.revision;
  return false;
}

}  // namespace

Async<Status> JobDriver::adopt(std::vector<Job> jobs, std::set<JobId> mistaken) {
  std::set<JobId> wanted;
  for (const Job& job : jobs) wanted.insert(job.id);
  std::vector<JobId> gone;
  for (const auto& [id, life] : book_.keeper().all())
    if (!wanted.contains(id)) gone.push_back(id);
  for (JobId& id : gone) {
    auto paused = co_await pause_missing(std::move(id));
    if (!paused) co_return paused;
  }
  for (const Job& job : jobs) dependencies_.set(job.id, job.after);

  // Counted first: only when many have missed a run are they spread.
  const WallTime now = parts_.clock.now();
  std::size_t behind = 0;
  book_.set_spread(std::chrono::milliseconds(0));
  for (const Job& job : jobs) {
    JobEntry& entry = book_.put(job);
    entry.has_mistakes = mistaken.contains(job.id);
    const JobLife* life = book_.keeper().find(job.id);
    const bool is_planned = life != nullptr && life->state == JobState::scheduled;
    if (is_planned && book_.timetable().plan(entry.number, now, book_.spread()) &&
        book_.timetable().is_catch_up(entry.number))
      ++behind;
    book_.timetable().pause(entry.number);
  }
  book_.set_spread(schedule::spread_for(behind, rules_.runs_in_parallel, rules_.misfire_spread));

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

Async<Status> JobDriver::adopt_job(Job job) {
  JobEntry& entry = book_.put(std::move(job));
  auto created = co_await book_.keeper().create(entry.job.id, entry.job.revision);
  if (!created) co_return created;
  co_return co_await sync(entry);
}

Async<Result<std::size_t>> JobDriver::adopt_for_new_run(Job job) {
  const JobId id = job.id;
  JobEntry& entry = book_.put(std::move(job));
  auto created = co_await book_.keeper().create(id, entry.job.revision);
  if (!created) co_return std::move(created).error();
  std::size_t ended = 0;
  if (life_of(entry).run && lifecycle::ends_by_itself(life_of(entry))) {
    const auto cancelled = co_await actions_.act(id, JobAction::cancel, false);
    if (!cancelled) co_return cancelled.error();
    // What belongs to its end may take a while.
    while (life_of(entry).run) co_await book_.keeper().changed();
    ++ended;
  }
  auto synced = co_await sync(entry);
  if (!synced) co_return std::move(synced).error();
  auto settled = co_await leftovers_.settle_interrupted(id);
  if (!settled) co_return settled;
  co_return ended + *settled;
}

// Brings the job's life into line with its configuration.
Async<Status> JobDriver::sync(JobEntry& entry) {
  if (book_.keeper().find(entry.job.id) == nullptr) co_return Done{};  // deleted meanwhile
  if (quotas_.holds(entry)) co_return co_await look_at_day(entry);
  if (!is_wanted_back(entry, life_of(entry), book_.is_storage_full()))
    co_return co_await follow_configuration(entry);
  if (entry.is_busy()) {
    tools_.spawn(resume_when_idle(entry));
    co_return Done{};
  }
  const auto resumed = co_await actions_.resume(entry);
  co_return resumed ? Status(Done{}) : Status(resumed.error());
}

Async<Status> JobDriver::follow_configuration(JobEntry& entry) {
  JobKeeper::Decide decide = [this, &entry](const JobLife& now) -> Result<Steps> {
    const bool is_enabled = entry.job.enabled;
    if (now.state == JobState::created && is_enabled)
      return book_.steps_into_schedule(entry, JobAction::enable);
    if ((now.state == JobState::completed || now.state == JobState::failed) && is_enabled)
      return book_.steps_into_schedule(entry, JobAction::reschedule);
    if (now.state == JobState::scheduled && !is_enabled) {
      book_.timetable().pause(entry.number);
      return Steps(1, JobStep{JobAction::disable});
    }
    return Steps();
  };
  JobKeeper::Edit also = [this, &entry](JobChange& change) {
    JobLife& now = change.now;
    if (now.state == JobState::scheduled) now.next_run_at = book_.plan(entry);
    // Ticks that come during a run count, too: `overlap` decides about them.
    if (entry.is_busy() && entry.job.enabled) book_.plan(entry);
    book_.keep_plans(entry, now);
  };
  auto taken = book_.keeper().decide(entry.job.id, std::move(decide), std::move(also));
  const auto synced = co_await std::move(taken);
  co_return synced ? Status(Done{}) : Status(synced.error());
}

// Pages in flight may take their time: nobody else waits for them.
Async<void> JobDriver::resume_when_idle(JobEntry& entry) {
  while (entry.is_busy() && life_of(entry).state == JobState::paused && !places_.is_closed())
    co_await places_.given_back().wait();
  if (places_.is_closed() || !entry.is_there) co_return;
  const auto synced = co_await sync(entry);
  if (!synced) parts_.log.warn(synced.error().message);
}

// Its files may be back, or in order again, later.
Async<Status> JobDriver::pause_missing(JobId job) {
  JobEntry* entry = book_.find(job);
  if (entry != nullptr) {
    entry->is_there = false;
    book_.timetable().pause(entry->number);
  }
  if (is_at_rest(book_.life_of(job).state)) co_return Done{};
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
  auto taken = book_.keeper().decide(std::move(job), std::move(decide));
  const auto paused = co_await std::move(taken);
  if (!paused && paused.error().code == ErrorCode::not_found) co_return Done{};  // deleted
  if (!paused) co_return paused.error();
  if (entry != nullptr && entry->run) parts_.offices.of(entry->job).halt(*entry->run, Halt::pause);
  co_return Done{};
}

}  // namespace heddle::hub
