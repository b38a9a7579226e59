#include "hub/runs/page_run_executor.hpp"

#include <utility>

#include <fmt/format.h>

#include "base/scope_exit.hpp"
#include "base/text.hpp"
#include "lifecycle/run_end.hpp"
#include "lifecycle/run_ledger.hpp"

namespace heddle::hub {

namespace {

RunError out_of_time(const Job& job) {
  return {ErrorKind::limited,
          fmt::format("limits.run_time = {}: the remaining pages were not fetched",
                      to_short_text(job.limits.run_time)),
          ""};
}

lifecycle::RunEndFacts facts_of(const Job& job, const ExecutionResult& result) {
  const RunState reported = result.outcome.state;
  return {.pages = result.run.pages,
          .max_error_rate = job.max_error_rate,
          .reached_limit = lifecycle::was_truncated(result.run) || reported == RunState::limited,
          .was_cancelled = reported == RunState::cancelled,
          .was_stopped = reported == RunState::stopped,
          .engine_failed =
              reported == RunState::failed || result.end == ExecutionEnd::script_unreadable};
}

}  // namespace

auto PageRunExecutor::count_active() {
  ++under_way_;
  return ScopeExit([this] {
    --under_way_;
    run_ended_.notify();
  });
}

Async<void> PageRunExecutor::idle() {
  while (under_way_ > 0) co_await run_ended_.wait();
}

Async<Result<bool>> PageRunExecutor::prepare(Job /*job*/, Run /*run*/,
                                             std::function<void()> /*on_registered*/) {
  co_return true;
}

bool PageRunExecutor::halt(const RunId& run, Halt how) {
  if (how == Halt::force || how == Halt::shut_down) return false;
  return dispatcher_.halt(run, how);
}

Async<Result<ExecutionResult>> PageRunExecutor::execute(Job job, Run run, RunObserver* observer,
                                                        std::function<void()> on_registered) {
  const auto active = count_active();
  RunId id = std::move(run.id);
  auto result = co_await execute_pages(std::move(job), id, observer, std::move(on_registered));
  if (!result || !result->is_finished()) co_return result;
  auto ended = co_await store_.end_run(std::move(id), result->outcome.state,
                                       std::move(result->errors), clock_.now());
  if (!ended) co_return std::move(ended).error();
  result->run = std::move(*ended);
  co_return result;
}

Async<Result<ExecutionResult>> PageRunExecutor::execute_pages(Job job, RunId run,
                                                              RunObserver* observer,
                                                              std::function<void()> on_registered) {
  const auto active = count_active();
  auto result = co_await dispatcher_.execute(job, run, observer, std::move(on_registered));
  co_return co_await conclude(job, std::move(run), std::move(result));
}

Async<Result<ExecutionResult>> PageRunExecutor::conclude(const Job& job, RunId run,
                                                         ExecutionResult result) {
  auto found = co_await store_.find_run(run);
  if (!found) co_return std::move(found).error();
  if (!*found) co_return Error{ErrorCode::bug, "run " + run.text + " is not in the store"};
  result.run = std::move(**found);
  if (result.end == ExecutionEnd::interrupted) co_return result;
  // Completed pages are not given up because of a script that is being edited.
  if (result.end == ExecutionEnd::script_unreadable && result.run.pages.done > 0)
    result.end = ExecutionEnd::unreadable;
  if (result.is_suspended() && !result.run.ended_at) {
    // Pages that a worker had leased but not begun become pending again.
    auto suspended = co_await store_.release_leases(run);
    if (suspended) suspended = co_await store_.mark_run(std::move(run), RunState::paused);
    if (!suspended) co_return std::move(suspended).error();
    result.run.state = RunState::paused;
    co_return result;
  }
  // The store is not writable (disk full): the remaining pages wait.
  if (result.end == ExecutionEnd::store_unavailable)
    co_return Error{ErrorCode::unavailable,
                    result.errors.empty() ? "the store is unavailable" : result.errors[0].message};
  const bool ran_out_of_time = result.outcome.state == RunState::limited;
  result.outcome.state = lifecycle::run_end_state(facts_of(job, result));
  result.end = ExecutionEnd::finished;
  result.errors.insert(result.errors.end(), result.run.errors.begin(), result.run.errors.end());
  if (ran_out_of_time) result.errors.push_back(out_of_time(job));
  if (result.outcome.state == RunState::failed && !result.errors.empty()) {
    result.outcome.reason = result.errors.front().kind;
    result.outcome.message = result.errors.front().message;
  }
  co_return result;
}

}  // namespace heddle::hub
