// JobDriver: what people ask for.
#include <utility>

#include <fmt/format.h>

#include "hub/job_driver.hpp"

namespace heddle::hub {

using lifecycle::JobAction;
using lifecycle::JobKeeper;
using lifecycle::JobStep;

namespace {

Error not_there(const JobId& job) {
  return {ErrorCode::conflict,
          fmt::format("job '{}' is not in the configuration, or has mistakes there: only its "
                      "history can be stopped, archived or read",
                      job.text)};
}

}  // namespace

Async<Result<JobLife>> JobDriver::act(JobId job, JobAction action, bool at_once) {
  if (keeper_.find(job) == nullptr)
    co_return Error{ErrorCode::not_found, "there is no job '" + job.text + "'"};
  switch (action) {
    case JobAction::cancel:
      co_return co_await cancel(std::move(job));
    case JobAction::stop:
      co_return co_await stop(std::move(job), at_once);
    case JobAction::archive:
      co_return co_await archive(std::move(job));
    case JobAction::start:
      co_return co_await begin_anew(std::move(job));
    default:
      break;
  }
  Entry* entry = find_entry(job);
  if (entry == nullptr || !entry->is_there) co_return not_there(job);
  if (action == JobAction::trigger) co_return co_await trigger(*entry);
  if (action == JobAction::pause) co_return co_await pause(*entry);
  if (action == JobAction::resume) co_return co_await resume(*entry);
  co_return Error{ErrorCode::bad_input,
                  fmt::format("`{}` is nothing to ask for", lifecycle::to_text(action))};
}

Async<Result<JobLife>> JobDriver::trigger(Entry& entry) {
  const JobLife& life = life_of(entry);
  const bool is_allowed =
      lifecycle::find_row(life.state, JobAction::trigger, life.run.has_value()) != nullptr;
  if (!is_allowed || entry.is_busy())
    co_return Error{ErrorCode::conflict,
                    lifecycle::refusal(entry.job.name, life, JobAction::trigger)};
  if (busy_ >= rules_.runs_in_parallel) {
    if (!entry.is_waiting) want_run(entry, "manual", parts_.clock.now());
    co_return life;
  }
  auto busy = make_busy(entry);
  const auto day = co_await claim_day(entry);
  if (!day) co_return day.error();
  auto entered = co_await enter(entry, "manual");
  if (!entered) co_return std::move(entered).error();
  const auto work = [](JobDriver& self, Entry& job, BusyEntry held,
                       std::optional<std::int64_t> pages_left) -> Async<void> {
    Wish wish;
    wish.trigger = "manual";
    wish.pages_left = pages_left;
    auto finished = co_await self.run(job, std::move(wish), std::move(held));
    if (!finished)
      self.parts_.log.error(fmt::format("job '{}': {}", job.job.name, finished.error().message));
  };
  spawn(work(*this, entry, std::move(busy), day->pages_left));
  co_return std::move(*entered);
}

Async<Result<JobLife>> JobDriver::pause(Entry& entry) {
  // A run that is being written down can be paused once it is there.
  while (life_of(entry).state == JobState::starting) co_await keeper_.changed();
  if (life_of(entry).pause_reason == PauseReason::storage_full) {
    // From now on it is a person's: room on the disk does not end it.
    JobKeeper::Edit edit = [this](JobChange& change) {
      change.now.pause_reason = PauseReason::user;
      change.events.push_back({.kind = "job.paused",
                               .at = parts_.clock.now(),
                               .run = {},
                               .data = {{"reason", "user"}}});
    };
    auto noting = keeper_.note(entry.job.id, std::move(edit));
    const auto noted = co_await std::move(noting);
    if (!noted) co_return noted.error();
    co_return life_of(entry);
  }
  Steps steps(1, JobStep{JobAction::pause});
  steps.front().pause_reason = PauseReason::user;
  auto taken = keeper_.take(entry.job.id, std::move(steps));
  auto paused = co_await std::move(taken);
  if (!paused) co_return paused;
  timetable_.pause(entry.number);
  forget_wish(entry);
  if (entry.run) parts_.office.halt(*entry.run, Halt::pause);
  co_return paused;
}

JobDriver::Steps JobDriver::steps_into_schedule(Entry& entry, JobAction action) {
  Steps steps(1, JobStep{action});
  if (entry.job.enabled && entry.is_there) {
    steps.back().next_run_at = plan(entry);
  } else {
    timetable_.pause(entry.number);
    if (action != JobAction::enable) steps.push_back(JobStep{JobAction::disable});
    return steps;
  }
  pause_if_full(entry, steps);
  return steps;
}

Async<Result<JobLife>> JobDriver::resume(Entry& entry) {
  // A run that is being paused finishes its pages in flight first.
  while (entry.is_busy() && life_of(entry).state == JobState::paused) co_await run_over_.wait();
  const JobLife life = life_of(entry);
  if (is_storage_full_ && life.pause_reason == PauseReason::storage_full)
    co_return Error{ErrorCode::conflict,
                    fmt::format("job '{}' goes on by itself when there is room: the project has "
                                "used up limits.storage (`heddle status`)",
                                entry.job.name)};
  if (life.pause_reason == PauseReason::quarantined) parts_.office.forgive(entry.job.id);
  if (life.pause_reason == PauseReason::quota) {
    const auto day = co_await claim_day(entry);
    if (!day) co_return day.error();
  }
  if (life.state == JobState::paused && life.run) {
    auto busy = make_busy(entry);  // whoever else resumes it waits for this one
    auto run = co_await parts_.store.find_run(*life.run);
    if (!run) co_return std::move(run).error();
    if (*run && !(*run)->ended_at)
      co_return co_await resume_run(entry, std::move(**run), std::move(busy));
  }
  JobKeeper::Decide decide = [this, &entry](const JobLife& now) -> Result<Steps> {
    if (lifecycle::find_row(now.state, JobAction::resume, false) == nullptr)
      return Steps(1, JobStep{JobAction::resume});  // to be refused
    // What would have been due during the pause was not missed: nobody wanted it.
    if (timetable_.handled_until(entry.number))
      timetable_.set_handled(entry.number, parts_.clock.now());
    return steps_into_schedule(entry, JobAction::resume);
  };
  JobKeeper::Edit also = [this, &entry](JobChange& change) {
    change.now.run.reset();
    change.now.handled_until = timetable_.handled_until(entry.number);
  };
  auto taken = keeper_.decide(entry.job.id, std::move(decide), std::move(also));
  co_return co_await std::move(taken);
}

Async<Result<JobLife>> JobDriver::resume_run(Entry& entry, Run run, BusyEntry busy) {
  Steps steps(1, JobStep{JobAction::resume});
  steps.push_back(JobStep{JobAction::trigger});
  steps.back().why = "resume";
  steps.push_back(JobStep{JobAction::begin});
  steps.back().run = run.id;
  auto taken = keeper_.take(entry.job.id, std::move(steps));
  auto resumed = co_await std::move(taken);
  run_over_.ring();  // those who wait for the pause to be over look again
  if (!resumed) co_return resumed;
  auto marked = co_await parts_.store.mark_run(run.id, RunState::in_progress);
  if (!marked) parts_.log.warn(marked.error().message);
  if (entry.job.enabled) plan(entry);  // for the ticks that come meanwhile
  spawn(go_on(entry, std::move(run), std::move(busy)));
  co_return resumed;
}

Async<Result<JobLife>> JobDriver::cancel(JobId job) {
  Entry* entry = find_entry(job);
  const bool is_worked_on = entry != nullptr && entry->is_busy();
  // The next run, which may be due already, begins when this one has ended.
  BusyEntry until_ended;
  if (entry != nullptr && !is_worked_on) until_ended = make_busy(*entry);
  JobKeeper::Decide decide = [this, entry](const JobLife& life) -> Result<Steps> {
    const bool is_refused =
        lifecycle::find_row(life.state, JobAction::cancel, life.run.has_value()) == nullptr;
    if (is_refused || entry == nullptr) return Steps(1, JobStep{JobAction::cancel});
    return steps_into_schedule(*entry, JobAction::cancel);
  };
  auto taken = keeper_.decide(job, std::move(decide));
  auto cancelled = co_await std::move(taken);
  if (!cancelled) co_return cancelled;
  if (is_worked_on && entry->run) parts_.office.halt(*entry->run, Halt::cancel);
  if (is_worked_on || !cancelled->run) co_return cancelled;
  auto ended = co_await end_leftover(job, *cancelled->run, RunState::cancelled);
  if (!ended) co_return std::move(ended).error();
  co_return life_of(job);
}

// Its next run is due and replaces this one.
Async<void> JobDriver::make_way(JobId job) {
  const auto cancelled = co_await cancel(std::move(job));
  if (!cancelled) parts_.log.info(cancelled.error().message);
}

Async<Result<JobLife>> JobDriver::stop(JobId job, bool at_once) {
  Entry* entry = find_entry(job);
  auto taken = keeper_.take(job, Steps(1, JobStep{JobAction::stop}));
  auto stopping = co_await std::move(taken);
  if (!stopping) co_return stopping;
  if (entry != nullptr) {
    timetable_.pause(entry->number);
    forget_wish(*entry);
  }
  if (stopping->state != JobState::stopping) co_return stopping;
  if (entry != nullptr && entry->run) {
    parts_.office.halt(*entry->run, Halt::stop);
    const auto patience = at_once ? std::chrono::milliseconds(0) : entry->job.stop_timeout;
    spawn(force_stop(job, *entry->run, patience));
    co_return stopping;
  }
  if (entry != nullptr && entry->is_busy()) co_return stopping;  // it is seen before a page begins
  RunId run = stopping->run.value_or(RunId{});
  auto ended = co_await end_leftover(job, std::move(run), RunState::stopped);
  if (!ended) co_return std::move(ended).error();
  co_return life_of(job);
}

// Pages that are still in flight afterwards find their run ended: nothing of them is stored.
Async<void> JobDriver::force_stop(JobId job, RunId run, std::chrono::milliseconds patience) {
  const Deadline deadline = std::chrono::steady_clock::now() + patience;
  const auto is_at_it = [this, &job, &run] {
    const JobLife* life = keeper_.find(job);
    return life != nullptr && life->state == JobState::stopping && life->run == run;
  };
  while (is_at_it() && std::chrono::steady_clock::now() < deadline && !is_leaving_)
    co_await run_over_.wait(deadline);
  if (!is_at_it() || is_leaving_) co_return;
  parts_.log.warn(fmt::format("job '{}' did not stop in time: its run is ended now", job.text));
  const auto ended = co_await end_leftover(std::move(job), std::move(run), RunState::stopped);
  if (!ended) parts_.log.error(ended.error().message);
}

Async<Result<JobLife>> JobDriver::archive(JobId job, std::string why) {
  const std::optional<RunId> run = life_of(job).run;
  Steps steps(1, JobStep{JobAction::archive});
  steps.front().why = std::move(why);
  auto taken = keeper_.take(job, std::move(steps));
  auto archived = co_await std::move(taken);
  if (!archived) co_return archived;
  if (const Entry* entry = find_entry(job)) timetable_.pause(entry->number);
  if (!run) co_return archived;
  auto ended = co_await end_leftover(std::move(job), *run, RunState::stopped);
  if (!ended) co_return std::move(ended).error();
  co_return archived;
}

Async<Result<JobLife>> JobDriver::begin_anew(JobId job) {
  auto taken = keeper_.take(job, Steps(1, JobStep{JobAction::start}));
  auto created = co_await std::move(taken);
  if (!created) co_return created;
  Entry* entry = find_entry(job);
  if (entry == nullptr || !entry->is_there) co_return created;
  timetable_.set_handled(entry->number, std::nullopt);
  auto synced = co_await sync(*entry);
  if (!synced) co_return std::move(synced).error();
  co_return life_of(job);
}

}  // namespace heddle::hub
