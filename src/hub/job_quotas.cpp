// JobDriver: what a job may do in a day. All of it is worked out from the store, once before and
// once after each run of a job that has such a limit.
#include <utility>

#include <fmt/format.h>

#include "hub/job_driver.hpp"

namespace heddle::hub {

using lifecycle::DayQuota;
using lifecycle::JobAction;
using lifecycle::JobKeeper;
using lifecycle::JobStep;

namespace {

constexpr std::chrono::minutes kNextLook{1};  // when the store could not be read

Error used_up(const Job& job, const DayQuota& quota) {
  return {ErrorCode::conflict,
          fmt::format("job '{}' has used up {} for today: it goes on by itself at {}; a higher "
                      "limit lets it go on earlier",
                      job.name, *quota.used_up, to_iso8601(quota.day.end))};
}

}  // namespace

bool JobDriver::waits_for_day(const Entry& entry) const {
  return life_of(entry).pause_reason == PauseReason::quota;
}

void JobDriver::wait_for_day(Entry& entry, WallTime day) {
  timetable_.wake(entry.number, day);
  planned_.ring();
}

Async<Result<DayQuota>> JobDriver::quota_of(const Entry& entry) {
  const JobLimits limits = entry.job.limits;
  if (!lifecycle::has_quota(limits)) co_return DayQuota{};
  const schedule::LocalDay day = timetable_.day_of(entry.number, parts_.clock.now());
  JobId job = entry.job.id;
  const auto today = co_await parts_.store.usage_since(std::move(job), day.begin);
  if (!today) co_return today.error();
  co_return lifecycle::quota_after(limits, *today, day);
}

// Whether a run may begin. `conflict` when not; then the job is paused until its next day.
Async<Result<DayQuota>> JobDriver::claim_day(Entry& entry) {
  auto quota = co_await quota_of(entry);
  if (!quota || !quota->used_up) co_return quota;
  auto paused = co_await pause_until(entry, *quota);
  if (!paused) co_return std::move(paused).error();
  co_return used_up(entry.job, *quota);
}

// A job that rests without a plan is left where it is: only its trigger is refused.
Async<Status> JobDriver::pause_until(Entry& entry, const DayQuota& quota) {
  JobKeeper::Decide decide = [&quota](const JobLife& life) -> Result<Steps> {
    Steps steps;
    if (life.state == JobState::starting) steps.push_back(JobStep{JobAction::cancel});
    const bool can_pause = life.state == JobState::starting || life.state == JobState::scheduled ||
                           life.state == JobState::failed;
    if (!can_pause) return steps;
    steps.push_back(JobStep{JobAction::pause});
    steps.back().pause_reason = PauseReason::quota;
    steps.back().why = *quota.used_up + " is used up for today";
    return steps;
  };
  JobKeeper::Edit also = [&quota](JobChange& change) {
    if (change.now.pause_reason == PauseReason::quota) change.now.next_run_at = quota.day.end;
  };
  auto taken = keeper_.decide(entry.job.id, std::move(decide), std::move(also));
  const auto paused = co_await std::move(taken);
  if (!paused) co_return paused.error();
  if (!waits_for_day(entry)) co_return Done{};
  forget_wish(entry);
  wait_for_day(entry, quota.day.end);
  co_return Done{};
}

// Of a job that is paused for its quota: a new day, or a higher limit, lets it go on.
Async<Status> JobDriver::look_at_day(Entry& entry) {
  const auto quota = co_await quota_of(entry);
  if (!quota) {
    wait_for_day(entry, parts_.clock.now() + kNextLook);
    co_return quota.error();
  }
  if (!waits_for_day(entry) || !entry.is_there) co_return Done{};
  if (quota->used_up) co_return co_await pause_until(entry, *quota);
  const auto resumed = co_await resume(entry);
  co_return resumed ? Status(Done{}) : Status(resumed.error());
}

Async<void> JobDriver::begin_day(Entry& entry) {
  const auto looked = co_await look_at_day(entry);
  if (!looked) parts_.log.warn(looked.error().message);
}

}  // namespace heddle::hub
