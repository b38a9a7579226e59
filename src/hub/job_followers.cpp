// JobDriver: jobs that start when others end. That a run has ended is written with its end; what
// follows from it is written before that is forgotten, and begins after that. So a follower starts
// once, whenever the daemon dies.
#include <utility>

#include "hub/job_driver.hpp"
#include "lifecycle/run_keeper.hpp"

namespace heddle::hub {

using lifecycle::JobAction;
using schedule::TickAction;

namespace {

constexpr const char* kAfter = "after";

}  // namespace

std::vector<JobId> JobDriver::followers_of(const Run& ended) const {
  const bool is_completed = ended.state == RunState::completed || ended.state == RunState::limited;
  if (!is_completed && ended.state != RunState::failed) return {};
  if (ended.trigger == lifecycle::kDeadLetterTrigger) return {};
  // One that is tried again has not ended for those who wait for it.
  const JobEntry* entry = book_.find(ended.job);
  if (entry != nullptr && entry->retry_at) return {};
  return dependencies_.started_by(
      ended.job, is_completed ? schedule::RunEnd::completed : schedule::RunEnd::failed);
}

// `told`: knew it before the daemon died.
Async<void> JobDriver::tell_followers(const Run& ended, const std::set<JobId>& told) {
  const WallTime now = parts_.clock.now();
  std::vector<JobId> starting;
  for (const JobId& follower : followers_of(ended))
    if (!told.contains(follower) && expects_run(follower, now)) starting.push_back(follower);
  bool is_noted = true;
  for (const JobId& follower : starting) {
    auto noting = note_plans(follower);
    is_noted = co_await std::move(noting) && is_noted;
  }
  if (is_noted) co_await note_told(ended.job, ended.id);
  if (places_.is_closed()) co_return;  // the next daemon starts them
  for (const JobId& follower : starting) {
    JobEntry* entry = book_.find(follower);
    // Somebody may have taken it back, or have started it, meanwhile.
    if (entry == nullptr || !entry->wish || !entry->is_there) continue;
    const bool is_skipped = tick_action(*entry, kAfter) == TickAction::skip;
    want_run(*entry, kAfter, now);
    if (is_skipped && !entry->is_waiting) tools_.spawn(drop_wish(*entry));
  }
}

// Whether the job starts by the end of another; then that is among its plans.
bool JobDriver::expects_run(const JobId& follower, WallTime since) {
  JobEntry* entry = book_.find(follower);
  if (entry == nullptr || !entry->is_there || !entry->job.enabled) return false;
  // One that is paused or stopped is not waited for.
  const JobLife& life = life_of(*entry);
  if (!entry->is_busy() &&
      lifecycle::find_row(life.state, JobAction::trigger, life.run.has_value()) == nullptr)
    return false;
  if (tick_action(*entry, kAfter) == TickAction::skip) {
    want_run(*entry, kAfter, since);  // says so
    return false;
  }
  if (!entry->wish) entry->wish = WaitingRun{kAfter, since};
  return true;
}

Async<bool> JobDriver::note_plans(JobId job) {
  lifecycle::JobKeeper::Edit edit = [this, &job](JobChange& change) {
    if (const JobEntry* entry = book_.find(job)) book_.keep_plans(*entry, change.now);
  };
  auto noting = book_.keeper().note(job, std::move(edit));
  const auto noted = co_await std::move(noting);
  if (noted || noted.error().code == ErrorCode::not_found) co_return true;  // or deleted
  parts_.log.warn(noted.error().message);
  co_return false;
}

Async<void> JobDriver::note_told(JobId job, RunId run) {
  lifecycle::JobKeeper::Edit forget = [&run](JobChange& change) {
    if (change.now.untold == run) change.now.untold.reset();
  };
  auto forgetting = book_.keeper().note(job, std::move(forget));
  const auto forgotten = co_await std::move(forgetting);
  if (!forgotten) parts_.log.warn(forgotten.error().message);
}

Async<Status> JobDriver::take_up_leftovers() {
  std::vector<JobLife> before;
  for (const auto& [id, life] : book_.keeper().all()) before.push_back(life);
  auto taken_up = co_await leftovers_.take_up();
  if (!taken_up) co_return taken_up;
  co_return co_await tell_what_was_left_untold(std::move(before));
}

// `lives`: as the former daemon left them.
Async<Status> JobDriver::tell_what_was_left_untold(std::vector<JobLife> lives) {
  std::set<JobId> told;
  for (const JobLife& life : lives)
    if (life.waiting && life.waiting->trigger == kAfter) told.insert(life.job);
  for (const JobLife& life : lives) {
    if (!life.untold) continue;
    auto run = co_await parts_.store.find_run(*life.untold);
    if (!run) co_return std::move(run).error();
    if (*run)
      co_await tell_followers(**run, told);
    else
      co_await note_told(life.job, *life.untold);
  }
  co_return Done{};
}

}  // namespace heddle::hub
