#include "hub/runs/page_run_executor.hpp"

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

lifecycle::RunEndFacts facts_of(const Job& job, const Run& run, const WorkDone& done) {
  lifecycle::RunEndFacts facts;
  facts.pages = run.pages;
  facts.max_error_rate = job.max_error_rate;
  facts.reached_limit = lifecycle::was_truncated(run) || done.ran_out_of_time;
  facts.was_cancelled = done.end == WorkEnd::cancelled;
  facts.was_stopped = done.end == WorkEnd::stopped;
  facts.engine_failed = done.end == WorkEnd::failed || done.end == WorkEnd::not_loaded ||
                        done.end == WorkEnd::quarantined;
  return facts;
}

}  // namespace

class PageRunExecutor::ActiveCount {
 public:
  explicit ActiveCount(PageRunExecutor& runs) : runs_(runs) { ++runs_.under_way_; }
  ~ActiveCount() {
    --runs_.under_way_;
    runs_.run_ended_.notify();
  }
  ActiveCount(const ActiveCount&) = delete;
  ActiveCount& operator=(const ActiveCount&) = delete;

 private:
  PageRunExecutor& runs_;
};

Async<void> PageRunExecutor::idle() {
  while (under_way_ > 0) co_await run_ended_.wait();
}

Async<Result<Run>> PageRunExecutor::begin(Job job, std::string trigger, int attempt,
                                          std::optional<std::int64_t> pages_left) {
  auto begun = co_await ledger_.begin(job, std::move(trigger), attempt, pages_left);
  if (!begun) co_return std::move(begun).error();
  co_return std::move(begun->run);
}

Async<Result<Run>> PageRunExecutor::begin_dead_letter_run(Job job, RunId id,
                                                          std::vector<DeadLetterId> dead_letters) {
  co_return co_await ledger_.begin_dead_letter_run(job, std::move(id), std::move(dead_letters));
}

Async<Result<FinishedRun>> PageRunExecutor::run(Job job, std::string trigger, RunObserver* observer,
                                                std::function<void(const Run&)> on_begun) {
  const ActiveCount count(*this);
  Job same = job;
  auto run = co_await begin(std::move(same), std::move(trigger), 1, std::nullopt);
  if (!run) co_return std::move(run).error();
  Run begun = *run;
  std::function<void()> on_registered = [&on_begun, &run] {
    if (on_begun) on_begun(*run);
  };
  co_return co_await execute(std::move(job), std::move(begun), observer, std::move(on_registered));
}

Async<Result<FinishedRun>> PageRunExecutor::execute(Job job, Run run, RunObserver* observer,
                                                    std::function<void()> on_registered) {
  const ActiveCount count(*this);
  RunId id = run.id;
  auto worked =
      co_await execute_pages(std::move(job), std::move(run), observer, std::move(on_registered));
  if (!worked) co_return std::move(worked).error();
  FinishedRun finished = std::move(worked->finished);
  if (finished.is_interrupted || finished.is_paused) co_return finished;
  auto ended = co_await store_.end_run(std::move(id), worked->verdict, std::move(worked->errors),
                                       clock_.now());
  if (!ended) co_return std::move(ended).error();
  finished.run = std::move(*ended);
  co_return finished;
}

Async<Result<PageRunExecutor::Worked>> PageRunExecutor::execute_pages(
    Job job, Run run, RunObserver* observer, std::function<void()> on_registered) {
  const ActiveCount count(*this);
  auto done = co_await dispatcher_.execute(job, run.id, observer, std::move(on_registered));
  co_return co_await conclude(job, run.id, std::move(done));
}

Async<Result<PageRunExecutor::Worked>> PageRunExecutor::conclude(const Job& job, RunId run,
                                                                 WorkDone done) {
  auto found = co_await store_.find_run(run);
  if (!found) co_return std::move(found).error();
  if (!*found) co_return Error{ErrorCode::bug, "run " + run.text + " is not in the store"};
  Worked worked;
  FinishedRun& finished = worked.finished;
  finished.costs = done.costs;
  finished.run = std::move(**found);
  finished.is_interrupted = done.end == WorkEnd::interrupted;
  if (finished.is_interrupted) co_return worked;
  // Completed pages are not given up because of a script that is being edited.
  const bool waits_for_script = done.end == WorkEnd::not_loaded && finished.run.pages.done > 0;
  const bool is_suspended =
      done.end == WorkEnd::paused || done.end == WorkEnd::unreadable || waits_for_script;
  if (is_suspended && !finished.run.ended_at) {
    if (done.problem) finished.unreadable = std::move(done.problem->message);
    auto suspended = co_await suspend(finished);
    if (!suspended) co_return std::move(suspended).error();
    co_return worked;
  }
  // The store is not writable (disk full): the remaining pages wait.
  if (done.end == WorkEnd::failed && done.problem && done.problem->kind == kStoreUnavailable)
    co_return Error{ErrorCode::unavailable, done.problem->message};
  finished.is_quarantined = done.end == WorkEnd::quarantined;
  worked.verdict = lifecycle::run_end_state(facts_of(job, finished.run, done));
  worked.errors = finished.run.errors;
  if (done.ran_out_of_time) worked.errors.push_back(out_of_time(job));
  if (done.problem) worked.errors.insert(worked.errors.begin(), std::move(*done.problem));
  co_return worked;
}

// Pauses the run. Pages that a worker had leased but not begun become pending again.
Async<Status> PageRunExecutor::suspend(FinishedRun& finished) {
  auto released = co_await store_.release_leases(finished.run.id);
  if (!released) co_return released;
  auto marked = co_await store_.mark_run(finished.run.id, RunState::paused);
  if (!marked) co_return marked;
  finished.is_paused = true;
  finished.run.state = RunState::paused;
  co_return Done{};
}

}  // namespace heddle::hub
