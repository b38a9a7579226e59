#include "lifecycle/job_keeper.hpp"

#include <utility>

#include "lifecycle/waiting_run.hpp"

namespace heddle::lifecycle {

namespace {

// A run that was cancelled is named while it still ends; a pause that comes meanwhile has no run to
// go on with.
bool has_ended_run(const JobRow& row) {
  using enum JobState;
  if (row.from == scheduled && row.to == paused) return true;
  return row.to == completed || row.to == failed || row.to == stopped || row.to == archived;
}

JobEvent event_of(const JobLife& before, const JobLife& after, const JobStep& step) {
  JobEvent event;
  event.kind = "job." + std::string(to_text(after.state));
  event.at = after.since;
  event.run = step.run ? step.run : before.run;
  event.data = {{"from", std::string(to_text(before.state))},
                {"action", std::string(to_text(step.action))}};
  if (after.pause_reason) event.data.emplace_back("reason", to_text(*after.pause_reason));
  if (!step.why.empty()) event.data.emplace_back("why", step.why);
  return event;
}

}  // namespace

std::optional<JobLife> after_step(JobLife life, const JobStep& step, WallTime now) {
  const JobRow* row = find_row(life.state, step.action, life.run.has_value());
  if (row == nullptr) return std::nullopt;
  life.state = row->to;
  life.since = now;
  life.pause_reason.reset();
  life.next_run_at.reset();
  if (row->to == JobState::paused)
    life.pause_reason = step.pause_reason.value_or(PauseReason::user);
  if (row->to == JobState::scheduled) life.next_run_at = step.next_run_at;
  if (step.run) life.run = step.run;
  if (has_ended_run(*row)) life.run.reset();
  if (row->to == JobState::created) {  // a new life, or a disabled job: it is due anew
    life.handled_until.reset();
    life.attempt = 0;
  }
  if (life.waiting && !may_wait(life, *life.waiting)) life.waiting.reset();
  return life;
}

class JobKeeper::Turn {
 public:
  Turn(JobKeeper& keeper, const JobId& job) : keeper_(keeper), job_(job) {
    keeper_.busy_.insert(job_);
  }
  ~Turn() {
    keeper_.busy_.erase(job_);
    keeper_.turn_over_.ring();
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  JobKeeper& keeper_;
  JobId job_;
};

Async<Status> JobKeeper::load() {
  auto lives = co_await store_.job_lives();
  if (!lives) co_return std::move(lives).error();
  lives_.clear();
  for (JobLife& life : *lives) {
    JobId job = life.job;
    lives_.emplace(std::move(job), std::move(life));
  }
  co_return Done{};
}

const JobLife* JobKeeper::find(const JobId& job) const {
  const auto found = lives_.find(job);
  return found == lives_.end() ? nullptr : &found->second;
}

Async<Status> JobKeeper::create(JobId job, std::string revision) {
  while (busy_.contains(job)) co_await turn_over_.wait();
  if (lives_.contains(job)) co_return Done{};
  const Turn turn(*this, job);
  JobChange change;
  change.now.job = std::move(job);
  change.now.since = clock_.now();
  change.now.revision = std::move(revision);
  change.events.push_back({.kind = "job.created", .at = change.now.since});
  co_return co_await write(std::move(change));
}

Async<Result<JobLife>> JobKeeper::take(JobId job, std::vector<JobStep> steps, Edit also) {
  Decide always = [steps = std::move(steps)](const JobLife&) -> Result<std::vector<JobStep>> {
    return steps;
  };
  auto taken = decide(std::move(job), std::move(always), std::move(also));
  co_return co_await std::move(taken);
}

Async<Result<JobLife>> JobKeeper::decide(JobId job, Decide decide, Edit also) {
  while (busy_.contains(job)) co_await turn_over_.wait();
  const JobLife* found = find(job);
  if (found == nullptr)
    co_return Error{ErrorCode::not_found, "nothing is known of job " + job.text};
  const Turn turn(*this, job);
  auto steps = decide(*found);
  if (!steps) co_return std::move(steps).error();
  JobChange change;
  change.from = found->state;
  change.now = *found;
  for (const JobStep& step : *steps) {
    auto next = after_step(change.now, step, clock_.now());
    if (!next) co_return Error{ErrorCode::conflict, refusal(job.text, change.now, step.action)};
    change.events.push_back(event_of(change.now, *next, step));
    change.now = std::move(*next);
  }
  if (also) also(change);
  JobLife now = change.now;
  if (now == *found && change.events.empty()) co_return now;
  auto written = co_await write(std::move(change));
  if (!written) co_return std::move(written).error();
  co_return now;
}

Async<Status> JobKeeper::note(JobId job, Edit edit) {
  while (busy_.contains(job)) co_await turn_over_.wait();
  const JobLife* found = find(job);
  if (found == nullptr)
    co_return Error{ErrorCode::not_found, "nothing is known of job " + job.text};
  const Turn turn(*this, job);
  JobChange change;
  change.from = found->state;
  change.now = *found;
  edit(change);
  if (change.now == *found && change.events.empty()) co_return Done{};
  co_return co_await write(std::move(change));
}

Async<Status> JobKeeper::remove(JobId job) {
  while (busy_.contains(job)) co_await turn_over_.wait();
  const JobLife* found = find(job);
  if (found == nullptr) co_return Error{ErrorCode::not_found, "there is no job '" + job.text + "'"};
  if (!may_be_deleted(*found))
    co_return Error{ErrorCode::conflict, refusal(job.text, *found, kDeleteWord)};
  const Turn turn(*this, job);
  auto begun = co_await store_.begin_deletion(job, clock_.now());
  if (begun) lives_.erase(job);
  co_return begun;
}

Async<Status> JobKeeper::write(JobChange change) {
  JobLife now = change.now;
  auto written = co_await store_.change_job(std::move(change));
  if (!written) co_return written;
  JobId job = now.job;
  lives_.insert_or_assign(std::move(job), std::move(now));
  co_return Done{};
}

}  // namespace heddle::lifecycle
