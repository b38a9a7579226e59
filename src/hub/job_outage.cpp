// JobDriver: what it does while the store cannot be written, because the disk is full, say.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "hub/job_driver.hpp"

namespace heddle::hub {

using lifecycle::JobAction;
using lifecycle::JobKeeper;
using lifecycle::JobStep;

namespace {

constexpr std::chrono::milliseconds kFirstPause{200};
constexpr std::chrono::milliseconds kLongestPause = std::chrono::seconds(10);

}  // namespace

// Its pages wait in the store, so nothing is lost but time. False: it is not worth waiting.
Async<bool> JobDriver::wait_for_store(const Entry& entry, const Error& why, Outage& outage) {
  if (!rules_.waits_for_store || why.code != ErrorCode::unavailable || is_leaving_) co_return false;
  if (outage.pause == std::chrono::milliseconds(0))
    parts_.log.error(fmt::format("job '{}' waits until it can be written again: {}", entry.job.name,
                                 why.message));
  outage.pause = std::clamp(outage.pause * 2, kFirstPause, kLongestPause);
  const Deadline deadline = std::chrono::steady_clock::now() + outage.pause;
  while (!is_leaving_ && std::chrono::steady_clock::now() < deadline)
    co_await planned_.wait(deadline);
  co_return !is_leaving_;
}

void JobDriver::note_end_of(const Outage& outage, const Entry& entry) {
  if (outage.pause > std::chrono::milliseconds(0))
    parts_.log.info(fmt::format("job '{}' goes on: it can be written again", entry.job.name));
}

// A step that must not be lost: whoever waits for it would wait for ever.
Async<Result<JobLife>> JobDriver::insist(const Entry& entry, const JobKeeper::Decide& decide,
                                         const JobKeeper::Edit& also) {
  Outage outage;
  while (true) {
    JobKeeper::Decide same = decide;
    JobKeeper::Edit same_edit = also;
    auto taken = keeper_.decide(entry.job.id, std::move(same), std::move(same_edit));
    auto life = co_await std::move(taken);
    if (life) {
      note_end_of(outage, entry);
      co_return life;
    }
    const Error why = life.error();
    const bool is_worth_it = co_await wait_for_store(entry, why, outage);
    if (!is_worth_it) co_return life;
  }
}

Async<Result<Run>> JobDriver::end_in_spite_of_store(const Entry& entry, RunId run, RunState state) {
  Outage outage;
  while (true) {
    std::vector<RunError> no_errors;
    auto ended =
        co_await parts_.store.end_run(run, state, std::move(no_errors), parts_.clock.now());
    if (ended) co_return ended;
    const Error why = ended.error();
    const bool is_worth_it = co_await wait_for_store(entry, why, outage);
    if (!is_worth_it) co_return ended;
  }
}

Async<Result<FinishedRun>> JobDriver::work_in_spite_of_store(
    const Entry& entry, const Run& run, RunFollower* follower,
    const std::function<void()>& on_listed) {
  Outage outage;
  while (true) {
    Job job = entry.job;
    Run same = run;
    std::function<void()> listed = on_listed;
    auto finished =
        co_await parts_.office.go_on(std::move(job), std::move(same), follower, std::move(listed));
    if (finished) {
      note_end_of(outage, entry);
      co_return finished;
    }
    const Error why = finished.error();
    const bool is_worth_it = co_await wait_for_store(entry, why, outage);
    if (!is_worth_it) co_return finished;
  }
}

// The run could not be worked on at all. It stays in the store as it is, for the next daemon.
Async<void> JobDriver::give_up(Entry& entry, const Error& why) {
  JobKeeper::Decide fail = [this, &entry, &why](const JobLife& life) -> Result<Steps> {
    Steps steps;
    if (life.state != JobState::starting && life.state != JobState::running) return steps;
    steps.push_back(JobStep{JobAction::fail});
    steps.back().why = why.message;
    if (!entry.job.enabled || !entry.is_there) return steps;
    steps.push_back(JobStep{JobAction::reschedule});
    steps.back().next_run_at = plan(entry);
    pause_if_full(entry, steps);
    return steps;
  };
  const JobKeeper::Edit nothing_else;
  const auto noted = co_await insist(entry, fail, nothing_else);
  if (!noted) parts_.log.error(fmt::format("job '{}': {}", entry.job.name, noted.error().message));
}

}  // namespace heddle::hub
