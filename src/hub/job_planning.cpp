// JobDriver: when jobs start.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "hub/job_driver.hpp"
#include "lifecycle/waiting_run.hpp"

namespace heddle::hub {

using lifecycle::JobAction;
using schedule::RunsNow;
using schedule::TickAction;

namespace {

// Also how soon a clock that was set is noticed.
constexpr std::chrono::seconds kLongestSleep{30};
// At a job that waits for its next day, when the store could not be read.
constexpr std::chrono::minutes kNextLook{1};

}  // namespace

// The wall clock was set: whatever was planned by the former time.
void JobDriver::plan_anew() {
  for (const auto& [id, entry] : book_.all()) {
    if (!book_.timetable().due_of(entry->number)) continue;
    if (quotas_.holds(*entry)) {
      tools_.spawn(begin_day(*entry));
      continue;
    }
    book_.plan(*entry);
    if (!entry->is_busy()) tools_.spawn(note_next_run(id));
  }
}

Async<void> JobDriver::note_next_run(JobId job) {
  const JobEntry* entry = book_.find(job);
  const auto due = book_.timetable().due_of(entry->number);
  lifecycle::JobKeeper::Edit edit = [due](JobChange& change) {
    if (change.now.state == JobState::scheduled) change.now.next_run_at = due;
  };
  auto noted = book_.keeper().note(std::move(job), std::move(edit));
  const auto done = co_await std::move(noted);
  if (!done) parts_.log.warn(done.error().message);
}

Async<void> JobDriver::keep_time() {
  using std::chrono::steady_clock;
  while (!is_leaving_) {
    const WallTime now = parts_.clock.now();
    if (const auto jump = clock_watch_.observe(now, steady_clock::now())) {
      parts_.log.info(fmt::format("the clock was set by {} s: planning anew",
                                  std::chrono::duration_cast<std::chrono::seconds>(*jump).count()));
      plan_anew();
    }
    while (const auto due = book_.timetable().take_due(now)) on_due(book_.at(*due), now);
    auto sleep = std::chrono::duration_cast<std::chrono::milliseconds>(kLongestSleep);
    if (const auto next = book_.timetable().next_due()) sleep = std::min(sleep, *next - now);
    co_await book_.planned().wait(steady_clock::now() +
                                  std::max(sleep, std::chrono::milliseconds(0)));
  }
}

void JobDriver::on_due(JobEntry& entry, WallTime now) {
  if (quotas_.holds(entry)) return tools_.spawn(begin_day(entry));
  const bool is_retry = entry.retry_at && *entry.retry_at <= now;
  entry.retry_at.reset();
  want_run(entry, is_retry ? "retry" : "time", book_.timetable().taken_due());
  // The next tick may come before this run has ended: `overlap` decides then.
  book_.timetable().plan(entry.number, now, book_.spread());
}

TickAction JobDriver::tick_action(const JobEntry& entry, std::string_view trigger) const {
  RunsNow runs = entry.is_waiting ? RunsNow::waiting : RunsNow::none;
  if (entry.is_busy()) runs = entry.is_waiting ? RunsNow::running_and_waiting : RunsNow::running;
  // The run that is tried again may be in its last moments: it is no other's.
  const Overlap policy = trigger == "retry" ? Overlap::queue : entry.job.overlap;
  return schedule::action_for(policy, runs);
}

void JobDriver::want_run(JobEntry& entry, std::string trigger, WallTime since) {
  switch (tick_action(entry, trigger)) {
    case TickAction::start:
      return want_place(entry, std::move(trigger), since);
    case TickAction::skip:
      return parts_.log.info(
          fmt::format("job '{}' is due while its former run is not over: skipped", entry.job.name));
    case TickAction::cancel_then_start:
      tools_.spawn(make_way(entry.job.id));
      [[fallthrough]];
    case TickAction::queue:
      return want_place(entry, std::move(trigger), since);
  }
}

void JobDriver::want_place(JobEntry& entry, std::string trigger, WallTime since) {
  places_.want(entry, std::move(trigger), since);
  if (entry.is_waiting) tools_.spawn(note_wish(entry));
}

// A run that waits outlives the daemon, with the tick that was handled by it.
Async<void> JobDriver::note_wish(JobEntry& entry) {
  lifecycle::JobKeeper::Edit edit = [this, &entry](JobChange& change) {
    if (!entry.is_waiting || !lifecycle::may_wait(change.now, *entry.wish)) return;
    lifecycle::note_waiting(change, *entry.wish, parts_.clock.now());
    book_.keep_plans(entry, change.now);
  };
  auto noting = book_.keeper().note(entry.job.id, std::move(edit));
  const auto noted = co_await std::move(noting);
  if (!noted) parts_.log.warn(noted.error().message);
}

// Its next run is due and replaces this one.
Async<void> JobDriver::make_way(JobId job) {
  const auto cancelled = co_await actions_.cancel(std::move(job));
  if (!cancelled) parts_.log.info(cancelled.error().message);
}

// Of a job that is paused for its quota: a new day, or a higher limit, lets it go on.
Async<Status> JobDriver::look_at_day(JobEntry& entry) {
  const auto quota = co_await quotas_.of(entry);
  if (!quota) {
    quotas_.wait_for(entry, parts_.clock.now() + kNextLook);
    co_return quota.error();
  }
  if (!quotas_.holds(entry) || !entry.is_there) co_return Done{};
  if (quota->used_up) co_return co_await quotas_.pause_until_next(entry, *quota);
  const auto resumed = co_await actions_.resume(entry);
  co_return resumed ? Status(Done{}) : Status(resumed.error());
}

Async<void> JobDriver::begin_day(JobEntry& entry) {
  const auto looked = co_await look_at_day(entry);
  if (!looked) parts_.log.warn(looked.error().message);
}

}  // namespace heddle::hub
