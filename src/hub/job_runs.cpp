#include "hub/job_runs.hpp"

#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"

namespace heddle::hub {

namespace {

RunError out_of_time(const Job& job) {
  return {std::string(lifecycle::kLimited),
          fmt::format("limits.run_time = {}: the pages left were not begun",
                      to_short_text(job.limits.run_time)),
          ""};
}

lifecycle::RunFacts facts_of(const Job& job, const Run& run, const WorkDone& done) {
  lifecycle::RunFacts facts;
  facts.pages = run.pages;
  facts.max_error_rate = job.max_error_rate;
  facts.reached_limit = lifecycle::was_cut_short(run) || done.ran_out_of_time;
  facts.was_cancelled = done.end == WorkEnd::cancelled;
  facts.was_stopped = done.end == WorkEnd::stopped;
  facts.broke_down = done.end == WorkEnd::failed || done.end == WorkEnd::not_loaded ||
                     done.end == WorkEnd::quarantined;
  return facts;
}

}  // namespace

class JobRuns::Count {
 public:
  explicit Count(JobRuns& runs) : runs_(runs) { ++runs_.under_way_; }
  ~Count() {
    --runs_.under_way_;
    runs_.run_over_.ring();
  }
  Count(const Count&) = delete;
  Count& operator=(const Count&) = delete;

 private:
  JobRuns& runs_;
};

Async<void> JobRuns::idle() {
  while (under_way_ > 0) co_await run_over_.wait();
}

Async<Result<Run>> JobRuns::begin(Job job, std::string trigger, int attempt,
                                  std::optional<std::int64_t> pages_left) {
  auto begun = co_await keeper_.begin(job, std::move(trigger), attempt, pages_left);
  if (!begun) co_return std::move(begun).error();
  co_return std::move(begun->run);
}

Async<Result<Run>> JobRuns::begin_of_letters(Job job, RunId id, std::vector<LetterId> letters) {
  co_return co_await keeper_.begin_of_letters(job, std::move(id), std::move(letters));
}

Async<Result<FinishedRun>> JobRuns::run(Job job, std::string trigger, RunFollower* follower,
                                        std::function<void(const Run&)> on_begun) {
  const Count count(*this);
  Job same = job;
  auto run = co_await begin(std::move(same), std::move(trigger), 1, std::nullopt);
  if (!run) co_return std::move(run).error();
  Run begun = *run;
  std::function<void()> on_listed = [&on_begun, &run] {
    if (on_begun) on_begun(*run);
  };
  co_return co_await go_on(std::move(job), std::move(begun), follower, std::move(on_listed));
}

Async<Result<FinishedRun>> JobRuns::go_on(Job job, Run run, RunFollower* follower,
                                          std::function<void()> on_listed) {
  const Count count(*this);
  RunId id = run.id;
  auto worked = co_await work(std::move(job), std::move(run), follower, std::move(on_listed));
  if (!worked) co_return std::move(worked).error();
  FinishedRun finished = std::move(worked->finished);
  if (finished.is_interrupted || finished.is_paused) co_return finished;
  auto ended = co_await store_.end_run(std::move(id), worked->verdict, std::move(worked->errors),
                                       clock_.now());
  if (!ended) co_return std::move(ended).error();
  finished.run = std::move(*ended);
  co_return finished;
}

Async<Result<JobRuns::Worked>> JobRuns::work(Job job, Run run, RunFollower* follower,
                                             std::function<void()> on_listed) {
  const Count count(*this);
  auto done = co_await desk_.work_through(job, run.id, follower, std::move(on_listed));
  co_return co_await judge(job, run.id, std::move(done));
}

Async<Result<JobRuns::Worked>> JobRuns::judge(const Job& job, RunId run, WorkDone done) {
  auto found = co_await store_.find_run(run);
  if (!found) co_return std::move(found).error();
  if (!*found) co_return Error{ErrorCode::bug, "run " + run.text + " is not in the store"};
  Worked worked;
  FinishedRun& finished = worked.finished;
  finished.costs = done.costs;
  finished.run = std::move(**found);
  finished.is_interrupted = done.end == WorkEnd::interrupted;
  if (finished.is_interrupted) co_return worked;
  // What is done already is not given up for a script that somebody is editing.
  const bool waits_for_script = done.end == WorkEnd::not_loaded && finished.run.pages.done > 0;
  const bool is_left =
      done.end == WorkEnd::paused || done.end == WorkEnd::unreadable || waits_for_script;
  if (is_left && !finished.run.ended_at) {
    if (done.problem) finished.unreadable = std::move(done.problem->message);
    auto left = co_await leave(finished);
    if (!left) co_return std::move(left).error();
    co_return worked;
  }
  // A disk that is full, say. What is left to do waits for a better time.
  if (done.end == WorkEnd::failed && done.problem && done.problem->kind == kStoreUnavailable)
    co_return Error{ErrorCode::unavailable, done.problem->message};
  finished.is_quarantined = done.end == WorkEnd::quarantined;
  worked.verdict = lifecycle::judge(facts_of(job, finished.run, done));
  worked.errors = finished.run.errors;
  if (done.ran_out_of_time) worked.errors.push_back(out_of_time(job));
  if (done.problem) worked.errors.insert(worked.errors.begin(), std::move(*done.problem));
  co_return worked;
}

// For somebody to go on with later. Pages that a worker had leased, but not begun, are pending like
// the others.
Async<Status> JobRuns::leave(FinishedRun& finished) {
  auto released = co_await store_.release_leases(finished.run.id);
  if (!released) co_return released;
  auto marked = co_await store_.mark_run(finished.run.id, RunState::paused);
  if (!marked) co_return marked;
  finished.is_paused = true;
  finished.run.state = RunState::paused;
  co_return Done{};
}

}  // namespace heddle::hub
