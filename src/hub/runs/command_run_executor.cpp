#include "hub/runs/command_run_executor.hpp"

#include <algorithm>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <fmt/format.h>

#include "base/rethrow_bug.hpp"
#include "commands/command_work.hpp"
#include "commands/service_work.hpp"

namespace heddle::hub {

namespace {

// Those of the pages are in the store too.
std::vector<RunError> without_repetitions(std::vector<RunError> errors,
                                          const std::vector<RunError>& more) {
  errors.insert(errors.end(), more.begin(), more.end());
  std::vector<RunError> kept;
  for (RunError& error : errors) {
    const bool is_repeated = std::any_of(kept.begin(), kept.end(), [&error](const RunError& each) {
      return each.kind == error.kind && each.message == error.message;
    });
    if (!is_repeated) kept.push_back(std::move(error));
  }
  return kept;
}

// Why a run is ended that a previous process left: the caller's reason, not stored yet.
std::vector<RunError> reasons_to_end(const Run& run) {
  std::vector<RunError> reasons;
  for (const RunError& error : run.errors)
    if (error.kind == ErrorKind::interrupted) reasons.push_back(error);
  return reasons;
}

}  // namespace

// A run that is prepared or executing.
struct CommandRunExecutor::Active {
  Active(const commands::RunParts& parts, const Job& job_in, const Run& run_in)
      : job(job_in), run(run_in), hooked(std::make_shared<HookedRun>(parts, job_in, run_in)) {}

  const Job job;
  const Run run;
  std::shared_ptr<HookedRun> hooked;
  bool is_executing = false;
};

// The pages of a run between its hooks. After force() nothing waits for pages in flight: their
// results are rejected, because the run has ended.
class CommandRunExecutor::PageWork final : public commands::RunWork {
 public:
  PageWork(boost::asio::any_io_executor loop, PageRunExecutor& pages, const Active& active,
           RunObserver* observer)
      : loop_(std::move(loop)), pages_(pages), job_(active.job), run_(active.run.id) {
    state_->observer.next = observer;
  }

  Async<Result<ExecutionResult>> work(std::function<void()> on_started) override {
    const auto state = state_;
    state->on_registered = [this, begin = std::move(on_started)] {
      is_registered_ = true;
      if (halt_) pages_.halt(run_, *halt_);
      begin();
    };
    boost::asio::co_spawn(loop_, execute_pages(state, pages_, job_, run_), rethrow_bug);
    while (!state->result && !state->is_forced) co_await state->changed.wait();
    state->observer.next = nullptr;
    if (state->result) co_return std::move(*state->result);
    ExecutionResult forced;
    forced.outcome.state = halted_state(*halt_);
    co_return forced;
  }

  // On shutdown the workers exit, which ends the work.
  void halt(Halt how) override {
    if (how == Halt::shut_down) return;
    if (how != Halt::force || !halt_) {
      halt_ = how == Halt::force ? Halt::stop : how;
      if (is_registered_) pages_.halt(run_, *halt_);
    }
    if (how != Halt::force) return;
    state_->is_forced = true;
    state_->changed.notify();
  }

 private:
  // Forwards pages until the observer is removed.
  struct ForwardingObserver final : RunObserver {
    void page(const PageReport& report) override {
      if (next != nullptr) next->page(report);
    }
    RunObserver* next = nullptr;
  };
  // Shared with the pages in flight.
  struct State {
    ForwardingObserver observer{};
    std::function<void()> on_registered{};
    std::optional<Result<ExecutionResult>> result{};
    bool is_forced = false;
    WakeSignal changed{};
  };

  static Async<void> execute_pages(std::shared_ptr<State> state, PageRunExecutor& pages, Job job,
                                   RunId run) {
    auto on_registered = std::move(state->on_registered);
    state->result = co_await pages.execute_pages(std::move(job), std::move(run), &state->observer,
                                                 std::move(on_registered));
    state->changed.notify();
  }

  boost::asio::any_io_executor loop_;
  PageRunExecutor& pages_;
  const Job job_;
  const RunId run_;
  std::shared_ptr<State> state_ = std::make_shared<State>();
  std::optional<Halt> halt_;
  bool is_registered_ = false;
};

CommandRunExecutor::CommandRunExecutor(boost::asio::any_io_executor loop,
                                       CommandRunExecutorParts parts)
    : parts_(parts),
      counting_journal_(parts_.journal, parts_.counts),
      retrying_journal_(counting_journal_, parts_.log,
                        [this] { return parts_.waits_for_store && !is_shutting_down_; }),
      run_parts_{std::move(loop), retrying_journal_, parts_.environment, parts_.clock, parts_.log} {
}

bool CommandRunExecutor::has_stages(const Job& job) const {
  return job.kind != JobKind::web || !job.hooks.empty();
}

std::shared_ptr<CommandRunExecutor::Active> CommandRunExecutor::open(const Job& job,
                                                                     const Run& run) {
  auto& active = runs_[run.id];
  if (active == nullptr) active = std::make_shared<Active>(run_parts_, job, run);
  return active;
}

void CommandRunExecutor::close(const RunId& run) {
  runs_.erase(run);
  run_ended_.notify();
}

// The run stays registered until execute() ends it.
Async<Result<bool>> CommandRunExecutor::prepare(Job job, Run run,
                                                std::function<void()> on_registered) {
  const auto active = open(job, run);
  if (is_shutting_down_) active->hooked->halt(Halt::shut_down);
  if (on_registered) on_registered();
  auto prepared = co_await active->hooked->prepare();
  if (!prepared) close(run.id);
  co_return prepared;
}

Async<Result<ExecutionResult>> CommandRunExecutor::execute(Job job, Run run, RunObserver* observer,
                                                           std::function<void()> on_registered) {
  if (!has_stages(job))
    co_return co_await parts_.pages.execute(std::move(job), std::move(run), observer,
                                            std::move(on_registered));
  const auto active = open(job, run);
  if (std::exchange(active->is_executing, true))
    co_return Error{ErrorCode::conflict, "run " + run.id.text + " is already in progress"};
  if (is_shutting_down_) active->hooked->halt(Halt::shut_down);
  if (on_registered) on_registered();
  auto result = co_await active->hooked->carry_out(make_work(active, observer));
  if (result) {
    for (RunError& reason : reasons_to_end(run)) result->errors.push_back(std::move(reason));
    result = co_await store_end(run.id, std::move(*result));
  }
  close(run.id);
  co_return result;
}

commands::HookedRun::MakeWork CommandRunExecutor::make_work(const std::shared_ptr<Active>& active,
                                                            RunObserver* observer) {
  return [this, active,
          observer](std::vector<ProcessRecord> before) -> std::shared_ptr<commands::RunWork> {
    const Job& job = active->job;
    if (job.kind == JobKind::web)
      return std::make_shared<PageWork>(run_parts_.loop, parts_.pages, *active, observer);
    if (job.kind == JobKind::service)
      return std::make_shared<commands::ServiceWork>(run_parts_, job, active->run.id,
                                                     std::move(before), [observer] {
                                                       if (observer != nullptr) observer->ready();
                                                     });
    return std::make_shared<commands::CommandWork>(run_parts_, job, active->run.id,
                                                   std::move(before));
  };
}

Async<Result<ExecutionResult>> CommandRunExecutor::store_end(RunId id, ExecutionResult result) {
  auto found = co_await parts_.store.find_run(id);
  if (!found) co_return std::move(found).error();
  if (!*found) co_return Error{ErrorCode::bug, "run " + id.text + " is not in the store"};
  result.run = std::move(**found);
  if (result.end == ExecutionEnd::interrupted) co_return result;
  if (result.is_suspended()) {
    auto marked = co_await parts_.store.mark_run(id, RunState::paused);
    if (!marked) co_return std::move(marked).error();
    result.run.state = RunState::paused;
    co_return result;
  }
  auto errors = without_repetitions(std::move(result.errors), result.run.errors);
  auto ended = co_await parts_.store.end_run(std::move(id), result.outcome.state, std::move(errors),
                                             parts_.clock.now());
  if (!ended) co_return std::move(ended).error();
  result.run = std::move(*ended);
  co_return result;
}

bool CommandRunExecutor::halt(const RunId& run, Halt how) {
  const auto found = runs_.find(run);
  if (found == runs_.end()) return parts_.pages.halt(run, how);
  const auto active = found->second;  // the run may end meanwhile
  active->hooked->halt(how);
  return true;
}

void CommandRunExecutor::shut_down() {
  is_shutting_down_ = true;
  halt_all(Halt::shut_down);
}

void CommandRunExecutor::halt_all(Halt how) {
  const auto all = runs_;
  for (const auto& [id, active] : all) active->hooked->halt(how);
}

void CommandRunExecutor::kill_all() {
  const auto all = runs_;
  for (const auto& [id, active] : all) {
    parts_.log.warn(
        fmt::format("{}: programs of run {} did not end in time and were killed; the next daemon "
                    "resumes the run",
                    active->job.id.text, id.text),
        {.job = active->job.id.text, .run = id.text});
    active->hooked->abandon();
  }
}

Async<void> CommandRunExecutor::idle(Deadline deadline) {
  while (!runs_.empty() && std::chrono::steady_clock::now() < deadline)
    co_await run_ended_.wait(deadline);
}

}  // namespace heddle::hub
