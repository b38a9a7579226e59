// JobDriver: what the daemon does with jobs by itself, and how they end for good.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/do_all.hpp"
#include "hub/job_driver.hpp"

namespace heddle::hub {

using lifecycle::JobAction;
using lifecycle::JobKeeper;
using lifecycle::JobStep;

namespace {

// So many at a time, for the store to write them together.
constexpr std::size_t kTogether = 64;
// Less than whoever asks over the control socket waits for an answer.
constexpr std::chrono::seconds kPatience{5};

}  // namespace

// A run that was ended by force may have pages in flight, which nobody waited for until now.
Async<Status> JobDriver::wait_until_idle(JobEntry& entry) {
  const Deadline deadline = std::chrono::steady_clock::now() + kPatience;
  while (entry.is_busy() && lifecycle::may_be_deleted(life_of(entry)) &&
         std::chrono::steady_clock::now() < deadline)
    co_await places_.given_back().wait(deadline);
  if (!entry.is_busy()) co_return Done{};
  if (!lifecycle::may_be_deleted(life_of(entry)))
    co_return Error{ErrorCode::conflict,
                    lifecycle::refusal(entry.job.name, life_of(entry), lifecycle::kDeleteWord)};
  co_return Error{ErrorCode::conflict,
                  fmt::format("job '{}': pages of its last run are still in flight; try again in a "
                              "moment",
                              entry.job.name)};
}

Async<Status> JobDriver::remove(JobId job) {
  JobEntry* entry = book_.find(job);
  if (entry != nullptr) {
    auto idle = co_await wait_until_idle(*entry);
    if (!idle) co_return idle;
  }
  // Nothing begins between the answer of the store and its end here.
  RunPlaces::HeldPlace until_gone;
  if (entry != nullptr) until_gone = places_.take(*entry);
  auto removed = co_await book_.keeper().remove(job);
  if (!removed || entry == nullptr) co_return removed;
  entry->is_there = false;
  entry->retry_at.reset();
  book_.timetable().pause(entry->number);
  book_.timetable().set_handled(entry->number, std::nullopt);
  places_.forget_wish(*entry);
  parts_.offices.of(entry->job).forgive(job);
  co_return Done{};
}

Async<Status> JobDriver::hold_new_runs(bool is_storage_full) {
  book_.set_storage_full(is_storage_full);
  std::vector<JobId> jobs;
  for (const auto& [id, life] : book_.keeper().all()) {
    const bool is_held = life.pause_reason == PauseReason::storage_full;
    if (is_storage_full ? life.state == JobState::scheduled : is_held) jobs.push_back(id);
  }
  std::function<Async<void>(std::size_t)> one = [&](std::size_t index) {
    return is_storage_full ? hold(std::move(jobs[index])) : release(std::move(jobs[index]));
  };
  co_await do_all(jobs.size(), kTogether, std::move(one));
  co_return Done{};
}

Async<void> JobDriver::hold(JobId job) {
  JobEntry* entry = book_.find(job);
  JobKeeper::Decide decide = [this](const JobLife& life) -> Result<Steps> {
    // A run that was cancelled and has not ended is on its way out.
    if (life.state != JobState::scheduled || life.run || !book_.is_storage_full()) return Steps();
    Steps steps(1, JobStep{JobAction::pause});
    steps.back().pause_reason = PauseReason::storage_full;
    return steps;
  };
  auto taken = book_.keeper().decide(job, std::move(decide));
  const auto held = co_await std::move(taken);
  if (!held) co_return parts_.log.error(held.error().message);
  if (entry == nullptr || held->pause_reason != PauseReason::storage_full) co_return;
  book_.timetable().pause(entry->number);
  places_.forget_wish(*entry);
}

Async<void> JobDriver::release(JobId job) {
  JobEntry* entry = book_.find(job);
  if (entry == nullptr || !entry->is_there || book_.is_storage_full()) co_return;
  if (life_of(*entry).pause_reason != PauseReason::storage_full) co_return;
  const auto released = co_await actions_.resume(*entry);
  if (!released) parts_.log.error(released.error().message);
}

Async<std::size_t> JobDriver::archive_idle(std::chrono::milliseconds idle) {
  const WallTime before = parts_.clock.now() - idle;
  std::vector<JobId> jobs;
  for (const auto& [id, life] : book_.keeper().all())
    if ((life.state == JobState::stopped || life.state == JobState::failed) && life.since < before)
      jobs.push_back(id);
  std::size_t archived = 0;
  for (const JobId& job : jobs) {
    const JobLife* life = book_.keeper().find(job);
    if (life == nullptr || life->since >= before) continue;  // somebody was faster
    const auto done = co_await actions_.archive(job, "archive_after");
    if (done)
      ++archived;
    else
      parts_.log.warn(done.error().message);
  }
  co_return archived;
}

}  // namespace heddle::hub
