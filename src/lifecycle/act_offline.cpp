#include "lifecycle/act_offline.hpp"

#include <utility>

#include "lifecycle/lasting_pause.hpp"
#include "lifecycle/waiting_run.hpp"

namespace heddle::lifecycle {

namespace {

using Steps = std::vector<JobStep>;

// A job that is marked as starting or running is so no more: its daemon has died.
Result<Steps> steps_for(JobAction action, const JobLife& life) {
  Steps steps;
  const bool has_row = find_row(life.state, action, life.run.has_value()) != nullptr;
  if (action == JobAction::pause && life.state == JobState::starting && !has_row)
    steps.push_back(JobStep{JobAction::cancel});
  steps.push_back(JobStep{action});
  if (action == JobAction::stop && find_row(life.state, action, life.run.has_value()) != nullptr &&
      find_row(life.state, action, life.run.has_value())->to == JobState::stopping)
    steps.push_back(JobStep{JobAction::wind_up});
  if (action == JobAction::resume && life.state == JobState::paused && life.run) {
    steps.push_back(JobStep{JobAction::trigger});
    steps.push_back(JobStep{JobAction::begin});
    steps.back().run = life.run;
  }
  return steps;
}

std::optional<RunState> end_of_run(JobAction action) {
  if (action == JobAction::cancel) return RunState::cancelled;
  if (action == JobAction::stop || action == JobAction::archive) return RunState::stopped;
  return std::nullopt;
}

// What is no step of the table.
Async<Result<JobLife>> note_offline(OfflineParts parts, JobId job,
                                    void (*what)(JobChange&, WallTime)) {
  JobKeeper::Edit edit = [&parts, what](JobChange& change) { what(change, parts.clock.now()); };
  auto noting = parts.keeper.note(job, std::move(edit));
  auto noted = co_await std::move(noting);
  if (!noted) co_return std::move(noted).error();
  co_return *parts.keeper.find(job);
}

Async<Status> end_plain_run(OfflineParts parts, RunId run, RunState how) {
  std::vector<RunError> no_errors;
  auto ended = co_await parts.store.end_run(run, how, std::move(no_errors), parts.clock.now());
  if (!ended && ended.error().code != ErrorCode::not_found) co_return std::move(ended).error();
  co_return Done{};
}

// Its hooks are still to come.
Async<Status> let_wind_up(OfflineParts parts, RunId run, RunCourse course, RunState how) {
  if (course.stage == RunStage::winding_up) co_return Done{};
  RunVerdict verdict;
  verdict.state = how;
  verdict.never_started = course.stage == RunStage::preparing;
  course.verdict = std::move(verdict);
  course.stage = RunStage::winding_up;
  co_return co_await parts.journal.note_course(std::move(run), std::move(course));
}

Async<Status> end_left_run(OfflineParts parts, RunId run, RunState how) {
  auto history = co_await parts.journal.program_history(run);
  if (!history) co_return std::move(history).error();
  if (!history->course) co_return co_await end_plain_run(parts, std::move(run), how);
  RunCourse course = *history->course;
  co_return co_await let_wind_up(parts, std::move(run), std::move(course), how);
}

// What becomes of the job's left run by the action, now that the job stands there.
Async<Status> follow_with_run(OfflineParts parts, RunId run, JobAction action, JobState job) {
  if (const auto end = end_of_run(action)) {
    RunId left = run;
    auto ended = co_await end_left_run(parts, std::move(left), *end);
    if (!ended) co_return ended;
  }
  if (job == JobState::running)
    co_return co_await parts.store.mark_run(std::move(run), RunState::in_progress);
  if (job == JobState::paused)
    co_return co_await parts.store.mark_run(std::move(run), RunState::paused);
  co_return Done{};
}

}  // namespace

Async<Result<JobLife>> act_offline(OfflineParts parts, JobId job, JobAction action) {
  const JobLife* before = parts.keeper.find(job);
  if (before == nullptr)
    co_return Error{ErrorCode::not_found, "there is no job '" + job.text + "'"};
  const bool has_step = find_row(before->state, action, before->run.has_value()) != nullptr;
  if (action == JobAction::pause && ends_by_itself(*before))
    co_return co_await note_offline(parts, std::move(job), make_lasting);
  if (action == JobAction::cancel && before->waiting && !has_step)
    co_return co_await note_offline(parts, std::move(job), take_back_waiting);
  const std::optional<RunId> run = before->run;
  JobKeeper::Decide decide = [action](const JobLife& life) { return steps_for(action, life); };
  JobKeeper::Edit also = [action](JobChange& change) {
    if (end_of_run(action)) change.now.run.reset();
  };
  auto taken = parts.keeper.decide(std::move(job), std::move(decide), std::move(also));
  auto life = co_await std::move(taken);
  if (!life || !run) co_return life;
  // After the step: what a power cut leaves in between, the next daemon ends the same way.
  auto followed = co_await follow_with_run(parts, *run, action, life->state);
  if (!followed) co_return std::move(followed).error();
  co_return life;
}

}  // namespace heddle::lifecycle
