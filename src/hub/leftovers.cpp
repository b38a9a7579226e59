#include "hub/leftovers.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "lifecycle/run_keeper.hpp"
#include "lifecycle/waiting_run.hpp"

namespace heddle::hub {

using lifecycle::JobAction;
using lifecycle::JobKeeper;
using lifecycle::JobStep;

namespace {

bool is_over(JobState state) {
  return state == JobState::stopped || state == JobState::archived;
}

// Whether a job in this state has a run that somebody will go on with.
bool keeps_its_run(JobState state) {
  using enum JobState;
  return state == starting || state == running || state == paused;
}

}  // namespace

Async<Status> Leftovers::take_up() {
  auto unfinished = co_await parts_.store.unfinished_runs();
  if (!unfinished) co_return std::move(unfinished).error();
  std::vector<JobId> jobs;
  for (const auto& [id, life] : book_.keeper().all()) jobs.push_back(id);
  for (const JobId& job : jobs) {
    auto taken_up = co_await take_up_job(job, *unfinished);
    if (!taken_up) co_return taken_up;
  }
  for (const Run& run : *unfinished) {
    auto settled = co_await settle_stray(run);
    if (!settled) co_return settled;
  }
  take_up_wishes();
  co_return Done{};
}

Async<Status> Leftovers::take_up_job(const JobId& job, const std::vector<Run>& unfinished) {
  const JobLife life = book_.life_of(job);
  RunId run = life.run.value_or(RunId{});
  if (life.state == JobState::stopping)
    co_return co_await tools_.end_idle_run(job, std::move(run), RunState::stopped);
  if (life.run && !keeps_its_run(life.state))
    co_return co_await tools_.end_idle_run(job, std::move(run), RunState::cancelled);
  if (life.run && life.state == JobState::paused)
    co_return co_await mark_paused(std::move(run), unfinished);
  JobEntry* entry = book_.find(job);
  if (entry == nullptr || !entry->is_there) co_return Done{};
  co_return co_await settle(*entry, unfinished);
}

// Its daemon died after the job was paused and before its pages in flight were through.
Async<Status> Leftovers::mark_paused(RunId id, const std::vector<Run>& unfinished) {
  for (const Run& run : unfinished)
    if (run.id == id && run.state == RunState::in_progress)
      co_return co_await parts_.store.mark_run(std::move(id), RunState::paused);
  co_return Done{};
}

// Runs that waited for a place do so again, in their order and behind those that had one.
void Leftovers::take_up_wishes() {
  std::vector<JobEntry*> waiting;
  for (const auto& [id, entry] : book_.all()) {
    if (!entry->wish || entry->is_waiting) continue;
    if (entry->is_there && lifecycle::may_wait(book_.life_of(*entry), *entry->wish))
      waiting.push_back(entry.get());
    else
      entry->wish.reset();
  }
  std::stable_sort(waiting.begin(), waiting.end(), [](const JobEntry* a, const JobEntry* b) {
    return a->wish->since < b->wish->since;
  });
  for (JobEntry* entry : waiting) {
    const WaitingRun wish = *entry->wish;
    places_.want(*entry, wish.trigger, wish.since);
  }
}

Async<Status> Leftovers::settle(JobEntry& entry, const std::vector<Run>& unfinished) {
  const JobLife life = book_.life_of(entry);
  if (life.state != JobState::starting && life.state != JobState::running) co_return Done{};
  // The run of a job that was starting may be written down, but not in the job's life yet.
  const auto found = std::find_if(unfinished.begin(), unfinished.end(), [&life](const Run& run) {
    return life.run ? run.id == *life.run : run.job == life.job;
  });
  if (found != unfinished.end()) co_return co_await go_on(entry, *found);
  if (life.state == JobState::starting && life.run) co_return co_await course_.call_off(entry);
  if (life.state == JobState::starting) {
    tools_.spawn(start_again(entry, places_.take(entry)));
    co_return Done{};
  }
  co_return co_await settle_ended(entry, life);
}

// Its run ended just before the daemon did.
Async<Status> Leftovers::settle_ended(JobEntry& entry, const JobLife& life) {
  FinishedRun finished;
  if (life.run) {
    auto run = co_await parts_.store.find_run(*life.run);
    if (!run) co_return std::move(run).error();
    if (*run) finished.run = std::move(**run);
  }
  if (!is_terminal(finished.run.state)) finished.run.state = RunState::failed;
  co_return co_await course_.settle(entry, finished);
}

// Goes on with a run, from wherever its job stands.
Async<Status> Leftovers::go_on(JobEntry& entry, const Run& run) {
  RunPlaces::HeldPlace busy = places_.take(entry);
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
  entry.run = run.id;  // before the step: whoever acts on its outcome finds the run
  entry.is_taken_up = true;
  auto taken = book_.keeper().decide(entry.job.id, std::move(decide));
  const auto begun = co_await std::move(taken);
  if (!begun) {
    entry.run.reset();
    co_return begun.error();
  }
  parts_.log.info(fmt::format("job '{}': going on with run {} ({} of {} pages are done)",
                              entry.job.name, run.id.text, run.pages.done, run.pages.total));
  if (entry.job.enabled) book_.plan(entry);  // for the ticks that come meanwhile
  tools_.spawn(course_.go_on(entry, run, std::move(busy)));
  co_return Done{};
}

Async<void> Leftovers::start_again(JobEntry& entry, RunPlaces::HeldPlace busy) {
  const auto day = co_await quotas_.claim(entry);
  if (!day) co_return parts_.log.info(day.error().message);
  RunWish wish;
  wish.trigger = "restart";
  wish.pages_left = day->pages_left;
  if (entry.job.enabled) book_.plan(entry);
  const auto ended = co_await course_.run(entry, std::move(wish), std::move(busy));
  if (!ended) parts_.log.error(ended.error().message);
}

Async<Result<std::size_t>> Leftovers::settle_interrupted(JobId job) {
  JobEntry* entry = book_.find(job);
  if (entry == nullptr || book_.life_of(*entry).state == JobState::paused) co_return 0;
  if (parts_.offices.of(entry->job).has_course(entry->job)) {
    auto wound_up = co_await wind_up_all(*entry);
    if (!wound_up || *wound_up > 0) co_return wound_up;
  }
  lifecycle::RunKeeper keeper(parts_.store, parts_.clock);
  auto settled = co_await keeper.settle_leftovers(job);
  if (!settled) co_return settled;
  if (book_.life_of(*entry).state == JobState::stopping) {
    RunId none;
    auto ended = co_await course_.end_idle(std::move(job), std::move(none), RunState::stopped);
    if (!ended) co_return std::move(ended).error();
  } else {
    const Error why{ErrorCode::unavailable, "heddle ended before its run did"};
    co_await course_.give_up(*entry, why);
  }
  co_return settled;
}

// What belongs to their end is done as well.
Async<Result<std::size_t>> Leftovers::wind_up_all(JobEntry& entry) {
  auto unfinished = co_await parts_.store.unfinished_runs();
  if (!unfinished) co_return std::move(unfinished).error();
  std::size_t ended = 0;
  for (Run& run : *unfinished) {
    if (run.job != entry.job.id) continue;
    auto done = co_await course_.wind_up(entry, std::move(run));
    if (!done) co_return std::move(done).error();
    ++ended;
  }
  co_return ended;
}

// A run that no job's life speaks of. It goes on if its job may run, and is wound up otherwise.
Async<Status> Leftovers::settle_stray(const Run& run) {
  JobEntry* entry = book_.find(run.job);
  const JobLife& life = book_.life_of(run.job);
  const bool is_known = entry != nullptr && entry->is_there;
  const bool has_life = book_.keeper().find(run.job) != nullptr;
  if (!is_known && has_life && is_over(life.state)) {
    JobId job = run.job;
    RunId id = run.id;
    co_return co_await course_.end_idle(std::move(job), std::move(id), RunState::stopped);
  }
  if (!is_known) {
    parts_.log.warn(fmt::format(
        "job '{}' is missing or has mistakes (see `heddle check`): its run {} waits, {} "
        "of {} pages are done",
        run.job.text, run.id.text, run.pages.done, run.pages.total));
    co_return Done{};
  }
  if (entry->is_busy() || life.run == run.id) co_return Done{};
  if (lifecycle::find_row(life.state, JobAction::trigger, false) == nullptr) {
    tools_.spawn(wind_up_stray(*entry, run, places_.take(*entry)));
    co_return Done{};
  }
  auto taken_up = co_await go_on(*entry, run);
  if (!taken_up) parts_.log.warn(taken_up.error().message);
  co_return Done{};
}

Async<void> Leftovers::wind_up_stray(JobEntry& entry, Run run, RunPlaces::HeldPlace place) {
  const RunPlaces::HeldPlace until_the_end = std::move(place);
  const auto wound_up = co_await course_.wind_up(entry, std::move(run));
  if (!wound_up) parts_.log.error(wound_up.error().message);
}

}  // namespace heddle::hub
