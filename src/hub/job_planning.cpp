// JobDriver: when jobs start.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "hub/job_driver.hpp"
#include "schedule/overlap.hpp"

namespace heddle::hub {

using schedule::RunsNow;
using schedule::TickAction;

namespace {

// Also how soon a clock that was set is noticed.
constexpr std::chrono::seconds kLongestSleep{30};

}  // namespace

std::optional<WallTime> JobDriver::plan(Entry& entry) {
  const WallTime now = parts_.clock.now();
  const auto due = timetable_.plan(entry.number, now, spread_, entry.retry_at);
  // A new job that does not start at once owes its ticks from now on.
  if (!timetable_.handled_until(entry.number) && (!due || *due > now))
    timetable_.set_handled(entry.number, now);
  planned_.ring();
  return due;
}

// The wall clock was set: whatever was planned by the former time.
void JobDriver::plan_anew() {
  for (const auto& [id, entry] : entries_) {
    if (!timetable_.due_of(entry->number)) continue;
    if (waits_for_day(*entry)) {
      spawn(begin_day(*entry));
      continue;
    }
    plan(*entry);
    if (!entry->is_busy()) spawn(note_next_run(id));
  }
}

Async<void> JobDriver::note_next_run(JobId job) {
  const Entry* entry = find_entry(job);
  const auto due = timetable_.due_of(entry->number);
  lifecycle::JobKeeper::Edit edit = [due](JobChange& change) {
    if (change.now.state == JobState::scheduled) change.now.next_run_at = due;
  };
  auto noted = keeper_.note(std::move(job), std::move(edit));
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
    while (const auto due = timetable_.take_due(now)) on_due(*by_number_[*due], now);
    auto sleep = std::chrono::duration_cast<std::chrono::milliseconds>(kLongestSleep);
    if (const auto next = timetable_.next_due()) sleep = std::min(sleep, *next - now);
    co_await planned_.wait(steady_clock::now() + std::max(sleep, std::chrono::milliseconds(0)));
  }
}

void JobDriver::on_due(Entry& entry, WallTime now) {
  if (waits_for_day(entry)) return spawn(begin_day(entry));
  const bool is_retry = entry.retry_at && *entry.retry_at <= now;
  entry.retry_at.reset();
  want_run(entry, is_retry ? "retry" : "time", timetable_.taken_due());
  // The next tick may come before this run has ended: `overlap` decides then.
  timetable_.plan(entry.number, now, spread_);
}

void JobDriver::want_run(Entry& entry, std::string trigger, WallTime since) {
  RunsNow runs = entry.is_waiting ? RunsNow::waiting : RunsNow::none;
  if (entry.is_busy()) runs = entry.is_waiting ? RunsNow::running_and_waiting : RunsNow::running;
  switch (schedule::action_for(entry.job.overlap, runs)) {
    case TickAction::start:
      entry.is_waiting = true;
      entry.waiting_for = std::move(trigger);
      entry.waiting_since = since;
      wait_for_place(entry);
      return start_waiting();
    case TickAction::skip:
      return parts_.log.info(
          fmt::format("job '{}' is due while its former run is not over: skipped", entry.job.name));
    case TickAction::cancel_then_start:
      spawn(make_way(entry.job.id));
      [[fallthrough]];
    case TickAction::queue:
      entry.is_waiting = true;
      entry.waiting_for = std::move(trigger);
      entry.waiting_since = since;
      return;
  }
}

WaitingRuns JobDriver::waiting_runs() const {
  WaitingRuns waiting;
  for (const Entry* entry : waiting_) {
    ++waiting.count;
    waiting.since = std::min(waiting.since.value_or(entry->waiting_since), entry->waiting_since);
  }
  return waiting;
}

void JobDriver::wait_for_place(Entry& entry) {
  waiting_.push_back(&entry);
}

void JobDriver::forget_wish(Entry& entry) {
  entry.is_waiting = false;
  std::erase(waiting_, &entry);
}

void JobDriver::set_rules(const DriverRules& rules) {
  rules_ = rules;
  start_waiting();
}

void JobDriver::start_waiting() {
  while (!is_leaving_ && !waiting_.empty() && busy_ + starting_ < rules_.runs_in_parallel) {
    Entry& entry = *waiting_.front();
    waiting_.pop_front();
    entry.is_waiting = false;
    ++starting_;
    spawn(start(entry, std::move(entry.waiting_for)));
  }
}

}  // namespace heddle::hub
