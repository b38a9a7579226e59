#include "hub/day_quotas.hpp"

#include <utility>

#include <fmt/format.h>

namespace heddle::hub {

using lifecycle::DayQuota;
using lifecycle::JobAction;
using lifecycle::JobKeeper;
using lifecycle::JobStep;

namespace {

Error used_up(const Job& job, const DayQuota& quota) {
  return {ErrorCode::conflict,
          fmt::format("job '{}' has used up {} for today: it goes on by itself at {}; a higher "
                      "limit lets it go on earlier",
                      job.name, *quota.used_up, to_iso8601(quota.day.end))};
}

}  // namespace

bool DayQuotas::holds(const JobEntry& entry) const {
  return book_.life_of(entry).pause_reason == PauseReason::quota;
}

void DayQuotas::wait_for(JobEntry& entry, WallTime day) {
  book_.timetable().wake(entry.number, day);
  book_.planned().ring();
}

Async<Result<DayQuota>> DayQuotas::of(const JobEntry& entry) {
  const JobLimits limits = entry.job.limits;
  if (!lifecycle::has_quota(limits)) co_return DayQuota{};
  const schedule::LocalDay day = book_.timetable().day_of(entry.number, parts_.clock.now());
  JobId job = entry.job.id;
  const auto today = co_await parts_.store.usage_since(std::move(job), day.begin);
  if (!today) co_return today.error();
  co_return lifecycle::quota_after(limits, *today, day);
}

Async<Result<DayQuota>> DayQuotas::claim(JobEntry& entry) {
  auto quota = co_await of(entry);
  if (!quota || !quota->used_up) co_return quota;
  auto paused = co_await pause_until_next(entry, *quota);
  if (!paused) co_return std::move(paused).error();
  co_return used_up(entry.job, *quota);
}

Async<Status> DayQuotas::pause_until_next(JobEntry& entry, const DayQuota& quota) {
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
  auto taken = book_.keeper().decide(entry.job.id, std::move(decide), std::move(also));
  const auto paused = co_await std::move(taken);
  if (!paused) co_return paused.error();
  if (!holds(entry)) co_return Done{};
  places_.forget_wish(entry);
  wait_for(entry, quota.day.end);
  co_return Done{};
}

}  // namespace heddle::hub
