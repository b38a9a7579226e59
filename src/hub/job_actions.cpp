#include "hub/job_actions.hpp"

#include <utility>

#include <fmt/format.h>

#include "base/pause.hpp"
#include "lifecycle/absent_job.hpp"
#include "lifecycle/lasting_pause.hpp"
#include "lifecycle/waiting_run.hpp"

namespace heddle::hub {

using lifecycle::JobAction;
using lifecycle::JobKeeper;
using lifecycle::JobStep;

namespace {

constexpr std::chrono::milliseconds kBetweenTries{10};

// Whether nobody has paused the job, or taken back what it waited for, in between.
bool is_same_pause(const JobLife& now, const JobLife& before) {
  return now.pause_reason == before.pause_reason && now.waiting == before.waiting;
}

Error paused_anew(const JobEntry& entry) {
  return {ErrorCode::conflict,
          fmt::format("job '{}' was paused again while it was to go on", entry.job.name)};
}

}  // namespace

Async<Result<JobLife>> JobActions::act(JobId job, JobAction action, bool at_once) {
  if (book_.keeper().find(job) == nullptr)
    co_return Error{ErrorCode::not_found, "there is no job '" + job.text + "'"};
  JobEntry* entry = book_.find(job);
  const bool may_be_asked = action == JobAction::pause || action == JobAction::stop;
  if (entry != nullptr && entry->unwritten && !may_be_asked) co_return not_written(*entry);
  switch (action) {
    case JobAction::pause:
      co_return co_await pause(std::move(job));
    case JobAction::cancel:
      if (has_only_a_wish(job)) co_return co_await take_back(std::move(job));
      co_return co_await cancel(std::move(job));
    case JobAction::stop:
      co_return co_await stop(std::move(job), at_once);
    case JobAction::archive:
      co_return co_await archive(std::move(job), std::string());
    case JobAction::start:
      co_return co_await begin_anew(std::move(job));
    default:
      break;
  }
  if (entry == nullptr || !entry->is_there) co_return lifecycle::not_configured(job);
  if (action == JobAction::trigger) co_return co_await trigger(*entry);
  if (action == JobAction::resume) co_return co_await resume(*entry);
  co_return Error{ErrorCode::bad_input,
                  fmt::format("`{}` is nothing to ask for", lifecycle::to_text(action))};
}

Async<Result<JobLife>> JobActions::trigger(JobEntry& entry) {
  const JobLife& life = life_of(entry);
  const bool is_allowed =
      lifecycle::find_row(life.state, JobAction::trigger, life.run.has_value()) != nullptr;
  if (!is_allowed || entry.is_busy()) co_return no_trigger(entry, life);
  if (places_.is_full()) co_return co_await wait_for_place(entry, "manual");
  auto place = places_.take(entry);
  const auto day = co_await quotas_.claim(entry);
  if (!day) co_return day.error();
  auto entered = co_await course_.enter(entry, "manual");
  if (!entered) co_return std::move(entered).error();
  RunWish wish;
  wish.trigger = "manual";
  wish.pages_left = day->pages_left;
  tools_.spawn(course_.run_unfollowed(entry, std::move(wish), std::move(place)));
  co_return std::move(*entered);
}

// Whoever was told that the run will come may rely on it: it is written before.
Async<Result<JobLife>> JobActions::wait_for_place(JobEntry& entry, std::string trigger) {
  if (entry.is_waiting) co_return life_of(entry);
  const WaitingRun wanted{std::move(trigger), parts_.clock.now()};
  JobKeeper::Decide decide = [&wanted](const JobLife& life) -> Result<Steps> {
    if (lifecycle::may_wait(life, wanted)) return Steps();
    const bool is_resume = wanted.trigger == lifecycle::kResumeTrigger;
    return Steps(1, JobStep{is_resume ? JobAction::resume : JobAction::trigger});  // to be refused
  };
  JobKeeper::Edit also = [&wanted](JobChange& change) {
    lifecycle::note_waiting(change, wanted, wanted.since);
  };
  auto taken = book_.keeper().decide(entry.job.id, std::move(decide), std::move(also));
  auto noted = co_await std::move(taken);
  if (!noted) co_return noted;
  // Unless somebody paused or stopped it meanwhile.
  if (life_of(entry).waiting) places_.want(entry, wanted.trigger, wanted.since);
  co_return noted;
}

// A run is waited for, and no other is there to be cancelled.
bool JobActions::has_only_a_wish(const JobId& job) const {
  const JobEntry* entry = book_.find(job);
  const JobLife& life = book_.life_of(job);
  const bool is_waiting = life.waiting || (entry != nullptr && entry->is_waiting);
  return is_waiting &&
         lifecycle::find_row(life.state, JobAction::cancel, life.run.has_value()) == nullptr;
}

// The run that the job waits for is not wanted any more.
Async<Result<JobLife>> JobActions::take_back(JobId job) {
  JobEntry* entry = book_.find(job);
  std::optional<WaitingRun> wish;
  if (entry != nullptr) {  // before it is written: nothing begins meanwhile
    wish = entry->wish;
    places_.forget_wish(*entry);
  }
  JobKeeper::Edit edit = [this](JobChange& change) {
    lifecycle::take_back_waiting(change, parts_.clock.now());
  };
  auto noting = book_.keeper().note(job, std::move(edit));
  const auto noted = co_await std::move(noting);
  if (!noted && wish && !entry->wish) places_.want(*entry, wish->trigger, wish->since);
  if (!noted) co_return noted.error();
  co_return book_.life_of(job);
}

Async<Result<JobLife>> JobActions::pause(JobId job) {
  JobEntry* entry = book_.find(job);
  // A run that is being written down can be paused once it is there.
  while (book_.life_of(job).state == JobState::starting && !is_being_prepared(job))
    co_await book_.keeper().changed();
  if (lifecycle::ends_by_itself(book_.life_of(job))) {
    JobKeeper::Edit edit = [this](JobChange& change) {
      lifecycle::make_lasting(change, parts_.clock.now());
    };
    auto noting = book_.keeper().note(job, std::move(edit));
    const auto noted = co_await std::move(noting);
    if (!noted) co_return noted.error();
    if (entry != nullptr && life_of(*entry).state == JobState::paused) rest(*entry, Halt::pause);
    if (book_.life_of(job).state == JobState::paused) co_return book_.life_of(job);
  }
  JobStep step{JobAction::pause};
  step.pause_reason = PauseReason::user;
  auto taken = book_.keeper().take(job, Steps(1, step));
  auto paused = co_await std::move(taken);
  if (!paused && entry != nullptr && unwritten_.holds_back(paused.error()))
    co_return unwritten_.take(*entry, step, false);
  if (!paused || entry == nullptr) co_return paused;
  rest(*entry, Halt::pause);
  co_return paused;
}

bool JobActions::is_being_prepared(const JobId& job) const {
  const JobEntry* entry = book_.find(job);
  return entry != nullptr && entry->run && book_.life_of(job).run == entry->run &&
         parts_.offices.of(entry->job).has_course(entry->job);
}

Async<Result<JobLife>> JobActions::resume(JobEntry& entry) {
  // A run that is being paused finishes its pages in flight first.
  while (entry.is_busy() && life_of(entry).state == JobState::paused)
    co_await places_.given_back().wait();
  const JobLife life = life_of(entry);
  if (book_.is_storage_full() && life.pause_reason == PauseReason::storage_full)
    co_return Error{ErrorCode::conflict,
                    fmt::format("job '{}' goes on by itself when there is room: the project has "
                                "used up limits.storage (`heddle status`)",
                                entry.job.name)};
  // Also one that a person paused afterwards.
  if (life.pause_reason == PauseReason::quarantined || life.check == CheckState::quarantined)
    parts_.offices.of(entry.job).forgive(entry.job.id);
  if (life.pause_reason == PauseReason::quota) {
    const auto day = co_await quotas_.claim(entry);
    if (!day) co_return day.error();
  }
  if (life_of(entry).pause_reason != life.pause_reason) co_return paused_anew(entry);
  RunPlaces::HeldPlace place;
  if (life.state == JobState::paused && life.run) {
    if (places_.is_full())
      co_return co_await wait_for_place(entry, std::string(lifecycle::kResumeTrigger));
    place = places_.take(entry);  // whoever else resumes it waits for this one
  }
  co_return co_await resume_with(entry, std::move(place));
}

Async<Result<JobLife>> JobActions::resume_with(JobEntry& entry, RunPlaces::HeldPlace place) {
  const JobLife life = life_of(entry);
  if (life.state == JobState::paused && life.run && place) {
    auto run = co_await parts_.store.find_run(*life.run);
    if (!run) co_return std::move(run).error();
    if (*run && !(*run)->ended_at)
      co_return co_await resume_run(entry, life, std::move(**run), std::move(place));
  }
  JobKeeper::Decide decide = [this, &entry, &life](const JobLife& now) -> Result<Steps> {
    if (lifecycle::find_row(now.state, JobAction::resume, false) == nullptr)
      return Steps(1, JobStep{JobAction::resume});  // to be refused
    if (!is_same_pause(now, life)) return paused_anew(entry);
    forget_missed(entry);
    return book_.steps_into_schedule(entry, JobAction::resume);
  };
  JobKeeper::Edit also = [this, &entry](JobChange& change) {
    change.now.run.reset();
    if (!entry.is_waiting) entry.wish.reset();
    book_.keep_plans(entry, change.now);
  };
  auto taken = book_.keeper().decide(entry.job.id, std::move(decide), std::move(also));
  co_return co_await std::move(taken);
}

// `before`: where the job stood when that was decided.
Async<Result<JobLife>> JobActions::resume_run(JobEntry& entry, const JobLife& before, Run run,
                                              RunPlaces::HeldPlace place) {
  JobKeeper::Decide decide = [&entry, &before, &run](const JobLife& now) {
    Steps steps(1, JobStep{JobAction::resume});
    if (now.state == JobState::paused && !is_same_pause(now, before))
      return Result<Steps>(paused_anew(entry));
    steps.push_back(JobStep{JobAction::trigger});
    steps.back().why = lifecycle::kResumeTrigger;
    steps.push_back(JobStep{JobAction::begin});
    steps.back().run = run.id;
    return Result<Steps>(std::move(steps));
  };
  entry.run = run.id;  // before the step: whoever acts on its outcome finds the run
  JobKeeper::Edit also = [this, &entry](JobChange& change) {
    forget_missed(entry);
    if (!entry.is_waiting) entry.wish.reset();
    book_.keep_plans(entry, change.now);
  };
  auto taken = book_.keeper().decide(entry.job.id, std::move(decide), std::move(also));
  auto resumed = co_await std::move(taken);
  places_.given_back().ring();  // those who wait for the pause to be over look again
  if (!resumed) {
    entry.run.reset();
    const auto ended = co_await tools_.end_if_unwanted(entry, std::move(run.id));
    if (!ended) parts_.log.error(ended.error().message);
    co_return resumed;
  }
  auto marked = co_await parts_.store.mark_run(run.id, RunState::in_progress);
  if (!marked) parts_.log.warn(marked.error().message);
  if (entry.job.enabled) book_.plan(entry);  // for the ticks that come meanwhile
  tools_.spawn(course_.go_on(entry, std::move(run), std::move(place)));
  co_return resumed;
}

Async<Result<JobLife>> JobActions::cancel(JobId job) {
  JobEntry* entry = book_.find(job);
  const bool is_worked_on = entry != nullptr && entry->is_busy();
  // The next run, which may be due already, begins when this one has ended.
  RunPlaces::HeldPlace until_ended;
  if (entry != nullptr && !is_worked_on) until_ended = places_.take(*entry);
  JobKeeper::Decide decide = [this, entry](const JobLife& life) -> Result<Steps> {
    const bool is_refused =
        lifecycle::find_row(life.state, JobAction::cancel, life.run.has_value()) == nullptr;
    if (is_refused || entry == nullptr) return Steps(1, JobStep{JobAction::cancel});
    if (life.state == JobState::paused) forget_missed(*entry);
    return book_.steps_into_schedule(*entry, JobAction::cancel);
  };
  JobKeeper::Edit also = [this, entry](JobChange& change) {
    if (entry != nullptr) book_.keep_plans(*entry, change.now);
  };
  auto taken = book_.keeper().decide(job, std::move(decide), std::move(also));
  auto cancelled = co_await std::move(taken);
  if (!cancelled) co_return cancelled;
  const bool was_to_go_on =
      entry != nullptr && entry->wish && entry->wish->trigger == lifecycle::kResumeTrigger;
  if (was_to_go_on) places_.forget_wish(*entry);
  if (is_worked_on) halt(*entry, Halt::cancel);
  // Unless whoever worked on it has gone meanwhile.
  if (!cancelled->run || (is_worked_on && entry->is_busy())) co_return cancelled;
  auto ended = co_await tools_.end_idle_run(job, *cancelled->run, RunState::cancelled);
  if (!ended) co_return std::move(ended).error();
  co_return book_.life_of(job);
}

Async<Result<JobLife>> JobActions::stop(JobId job, bool at_once) {
  JobEntry* entry = book_.find(job);
  const JobStep step{JobAction::stop};
  auto taken = book_.keeper().take(job, Steps(1, step));
  auto stopping = co_await std::move(taken);
  if (!stopping && entry != nullptr && unwritten_.holds_back(stopping.error()))
    co_return unwritten_.take(*entry, step, at_once);
  if (!stopping) co_return stopping;
  co_return co_await bring_to_stop(std::move(*stopping), at_once);
}

// What follows the step.
Async<Result<JobLife>> JobActions::bring_to_stop(JobLife stopping, bool at_once) {
  JobEntry* entry = book_.find(stopping.job);
  if (entry != nullptr) rest(*entry, Halt::stop);
  if (stopping.state != JobState::stopping) {
    if (at_once && entry != nullptr && entry->run) parts_.offices.of(entry->job).force(*entry->run);
    co_return stopping;
  }
  if (entry != nullptr && entry->run) {
    const auto patience = at_once ? std::chrono::milliseconds(0) : entry->job.stop_timeout;
    tools_.spawn(force_stop(stopping.job, *entry->run, patience));
    co_return stopping;
  }
  if (entry != nullptr && entry->is_busy()) co_return stopping;  // it is seen before a page begins
  RunId run = stopping.run.value_or(RunId{});
  auto ended = co_await tools_.end_idle_run(stopping.job, std::move(run), RunState::stopped);
  if (!ended) co_return std::move(ended).error();
  co_return book_.life_of(stopping.job);
}

// A pause or a stop was written late.
Async<void> JobActions::bring_to_rest(JobLife life, bool at_once) {
  if (life.state != JobState::stopping) co_return;
  const auto stopped = co_await bring_to_stop(std::move(life), at_once);
  if (!stopped) parts_.log.error(stopped.error().message);
}

// Pages that are still in flight afterwards find their run ended: nothing of them is stored.
Async<void> JobActions::force_stop(JobId job, RunId run, std::chrono::milliseconds patience) {
  const Deadline deadline = std::chrono::steady_clock::now() + patience;
  const auto is_at_it = [this, &job, &run] {
    const JobLife* life = book_.keeper().find(job);
    return life != nullptr && life->state == JobState::stopping && life->run == run;
  };
  while (is_at_it() && std::chrono::steady_clock::now() < deadline && !places_.is_closed())
    co_await places_.given_back().wait(deadline);
  if (!is_at_it() || places_.is_closed()) co_return;
  const JobEntry* entry = book_.find(job);
  const bool has_course = entry != nullptr && parts_.offices.of(entry->job).has_course(entry->job);
  if (has_course && entry->is_busy()) {
    // It ends through its office, which may not know of it yet.
    while (is_at_it() && !places_.is_closed() && !parts_.offices.of(entry->job).force(run))
      co_await pause_for(kBetweenTries);
    co_return;
  }
  parts_.log.warn(fmt::format("job '{}' did not stop in time: its run is ended now", job.text));
  const auto ended =
      co_await tools_.end_idle_run(std::move(job), std::move(run), RunState::stopped);
  if (!ended) parts_.log.error(ended.error().message);
}

Async<Result<JobLife>> JobActions::archive(JobId job, std::string why) {
  const std::optional<RunId> run = book_.life_of(job).run;
  Steps steps(1, JobStep{JobAction::archive});
  steps.front().why = std::move(why);
  auto taken = book_.keeper().take(job, std::move(steps));
  auto archived = co_await std::move(taken);
  if (!archived) co_return archived;
  if (JobEntry* entry = book_.find(job)) {
    book_.timetable().pause(entry->number);
    places_.forget_wish(*entry);
  }
  if (!run) co_return archived;
  auto ended = co_await tools_.end_idle_run(std::move(job), *run, RunState::stopped);
  if (!ended) co_return std::move(ended).error();
  co_return archived;
}

Async<Result<JobLife>> JobActions::begin_anew(JobId job) {
  auto taken = book_.keeper().take(job, Steps(1, JobStep{JobAction::start}));
  auto created = co_await std::move(taken);
  const JobEntry* entry = book_.find(job);
  if (created && entry != nullptr && entry->is_there)
    book_.timetable().set_handled(entry->number, std::nullopt);
  co_return created;
}

// What would have been due during a pause was not missed: nobody wanted it.
void JobActions::forget_missed(const JobEntry& entry) {
  if (book_.timetable().handled_until(entry.number))
    book_.timetable().set_handled(entry.number, parts_.clock.now());
}

// Nothing of the job begins from here on.
void JobActions::rest(JobEntry& entry, Halt how) {
  book_.timetable().pause(entry.number);
  places_.forget_wish(entry);
  halt(entry, how);
}

void JobActions::halt(const JobEntry& entry, Halt how) {
  if (entry.run) parts_.offices.of(entry.job).halt(*entry.run, how);
}

}  // namespace heddle::hub
