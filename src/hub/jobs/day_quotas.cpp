#include "hub/jobs/day_quotas.hpp"

#include <utility>

#include <fmt/format.h>

namespace heddle::hub {

using lifecycle::DayQuota;
using lifecycle::JobAction;
using lifecycle::JobStatusStore;
using lifecycle::JobStep;

namespace {

Error used_up(const Job& job, const DayQuota& quota) {
  return {ErrorCode::conflict, fmt::format("job '{}' has reached {} for today: it continues at {}, "
                                           "or as soon as the limit is raised",
                                           job.name, *quota.used_up, to_iso8601(quota.day.end))};
}

}  // namespace

bool DayQuotas::is_paused_for_quota(const ManagedJob& entry) const {
  return registry_.status_of(entry).pause_reason == PauseReason::quota;
}

void DayQuotas::wake_at(ManagedJob& entry, WallTime day) {
  registry_.timetable().wake(entry.number, day);
  registry_.plan_changed().notify();
}

Async<Result<DayQuota>> DayQuotas::quota_of(const ManagedJob& entry) {
  const JobLimits limits = entry.job.limits;
  if (!lifecycle::has_quota(limits)) co_return DayQuota{};
  const schedule::LocalDay day = registry_.timetable().day_of(entry.number, parts_.clock.now());
  const auto today = co_await parts_.store.usage_since(entry.job.id, day.begin);
  if (!today) co_return today.error();
  co_return lifecycle::quota_after(limits, *today, day);
}

Async<Result<DayQuota>> DayQuotas::claim(ManagedJob& entry) {
  auto quota = co_await quota_of(entry);
  if (!quota || !quota->used_up) co_return quota;
  auto paused = co_await pause_until_next(entry, *quota);
  if (!paused) co_return std::move(paused).error();
  co_return used_up(entry.job, *quota);
}

Async<Status> DayQuotas::pause_until_next(ManagedJob& entry, const DayQuota& quota) {
  JobStatusStore::Decide decide = [&quota](const JobStatus& status) -> Result<Steps> {
    const JobStep pause{.action = JobAction::pause,
                        .pause_reason = PauseReason::quota,
                        .why = *quota.used_up + " is reached for today"};
    if (status.state == JobState::starting) return Steps{{JobAction::cancel}, pause};
    const bool can_pause = status.state == JobState::scheduled || status.state == JobState::failed;
    return can_pause ? Steps{pause} : Steps();
  };
  JobStatusStore::Edit edit = [&quota](JobChange& change) {
    if (change.now.pause_reason == PauseReason::quota) change.now.next_run_at = quota.day.end;
  };
  const auto paused = co_await registry_.status_store().apply_decided(
      entry.job.id, std::move(decide), std::move(edit));
  if (!paused) co_return paused.error();
  if (!is_paused_for_quota(entry)) co_return Done{};
  run_slots_.remove_from_queue(entry);
  wake_at(entry, quota.day.end);
  co_return Done{};
}

}  // namespace heddle::hub
