#include "hub/runs/command_run_executor.hpp"

#include <algorithm>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <fmt/format.h>

#include "base/rethrow_bug.hpp"
#include "commands/command_work.hpp"
#include "commands/service_work.hpp"

namespace heddle::hub {

using commands::Ending;
using commands::HookedEnd;
using commands::WorkResult;

namespace {

Ending ending_of(Halt how) {
  switch (how) {
    case Halt::pause:
      return Ending::pause;
    case Halt::cancel:
      return Ending::cancel;
    case Halt::stop:
      break;
  }
  return Ending::stop;
}

Halt halt_of(Ending how) {
  switch (how) {
    case Ending::pause:
      return Halt::pause;
    case Ending::cancel:
      return Halt::cancel;
    default:
      return Halt::stop;
  }
}

}  // namespace

// A run that is prepared or executing.
struct CommandRunExecutor::Active {
  Active(const commands::RunParts& parts, const Job& job_in, const Run& run_in)
      : job(job_in), run(run_in), hooked(std::make_shared<HookedRun>(parts, job_in, run_in)) {}

  const Job job;
  const Run run;
  std::shared_ptr<HookedRun> hooked;
  // Shared with the page work, which the hooked run owns.
  std::shared_ptr<std::optional<PageRunExecutor::Worked>> worked =
      std::make_shared<std::optional<PageRunExecutor::Worked>>();
  bool is_executing = false;
};

// The pages of a run between its hooks. After force() nothing waits for pages in flight: their
// results are rejected, because the run has ended.
class CommandRunExecutor::PageWork final : public commands::RunWork {
 public:
  PageWork(boost::asio::any_io_executor loop, PageRunExecutor& pages, const Active& active,
           RunObserver* observer)
      : loop_(std::move(loop)),
        pages_(pages),
        job_(active.job),
        run_(active.run),
        worked_(active.worked) {
    state_->observer.next = observer;
  }

  Async<Result<WorkResult>> work(std::function<void()> on_started) override {
    const auto state = state_;
    state->on_registered = [this, begin = std::move(on_started)] {
      is_registered_ = true;
      if (ending_) pages_.halt(run_.id, halt_of(*ending_));
      begin();
    };
    boost::asio::co_spawn(loop_, execute_pages(state, pages_, job_, run_), rethrow_bug);
    while (!state->worked && !state->is_forced) co_await state->changed.wait();
    state->observer.next = nullptr;
    WorkResult result;
    if (!state->worked) {
      result.verdict.state = ending_ == Ending::cancel ? RunState::cancelled : RunState::stopped;
      co_return result;
    }
    auto worked = std::move(*state->worked);
    if (!worked) co_return std::move(worked).error();
    if (worked->finished.is_paused) result.end = commands::WorkEnd::paused;
    if (worked->finished.is_interrupted) result.end = commands::WorkEnd::interrupted;
    result.verdict.state = worked->verdict;
    if (worked->verdict == RunState::failed && !worked->errors.empty()) {
      result.verdict.reason = worked->errors.front().kind;
      result.verdict.message = worked->errors.front().message;
    }
    *worked_ = std::move(*worked);
    co_return result;
  }

  // At a shutdown the workers interrupt the run themselves.
  void end(Ending how) override {
    if (how == Ending::leave) return;
    ending_ = how;
    if (is_registered_) pages_.halt(run_.id, halt_of(how));
  }

  void force() override {
    if (!ending_) end(Ending::stop);
    state_->is_forced = true;
    state_->changed.notify();
  }

 private:
  // Forwards pages while the observer exists.
  struct PageForwarder final : RunObserver {
    void page(const PageReport& report) override {
      if (next != nullptr) next->page(report);
    }
    RunObserver* next = nullptr;
  };
  // Shared with the pages in flight.
  struct State {
    PageForwarder observer{};
    std::function<void()> on_registered{};
    std::optional<Result<PageRunExecutor::Worked>> worked{};
    bool is_forced = false;
    WakeSignal changed{};
  };

  static Async<void> execute_pages(std::shared_ptr<State> state, PageRunExecutor& pages, Job job,
                                   Run run) {
    auto on_registered = std::move(state->on_registered);
    state->worked = co_await pages.execute_pages(std::move(job), std::move(run), &state->observer,
                                                 std::move(on_registered));
    state->changed.notify();
  }

  boost::asio::any_io_executor loop_;
  PageRunExecutor& pages_;
  const Job job_;
  const Run run_;
  std::shared_ptr<std::optional<PageRunExecutor::Worked>> worked_;
  std::shared_ptr<State> state_ = std::make_shared<State>();
  std::optional<Ending> ending_;
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

Async<Result<Run>> CommandRunExecutor::begin(Job job, std::string trigger, int attempt,
                                             std::optional<std::int64_t> pages_left) {
  return parts_.pages.begin(std::move(job), std::move(trigger), attempt, pages_left);
}

Async<Result<Run>> CommandRunExecutor::begin_dead_letter_run(
    Job job, RunId id, std::vector<DeadLetterId> dead_letters) {
  return parts_.pages.begin_dead_letter_run(std::move(job), std::move(id), std::move(dead_letters));
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
  if (is_shutting_down_) active->hooked->end(Ending::leave);
  if (on_registered) on_registered();
  auto prepared = co_await active->hooked->prepare();
  if (!prepared) close(run.id);
  co_return prepared;
}

Async<Result<FinishedRun>> CommandRunExecutor::execute(Job job, Run run, RunObserver* observer,
                                                       std::function<void()> on_registered) {
  if (!has_stages(job))
    co_return co_await parts_.pages.execute(std::move(job), std::move(run), observer,
                                            std::move(on_registered));
  const auto active = open(job, run);
  if (std::exchange(active->is_executing, true))
    co_return Error{ErrorCode::conflict, "run " + run.id.text + " is being worked on"};
  if (is_shutting_down_) active->hooked->end(Ending::leave);
  if (on_registered) on_registered();
  auto end = co_await active->hooked->carry_out(make_work(active, observer));
  Result<FinishedRun> finished = Error{ErrorCode::bug, "no end"};
  if (end)
    finished = co_await finish(*active, std::move(*end));
  else
    finished = std::move(end).error();
  close(run.id);
  co_return finished;
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
                                                     std::move(before));
    return std::make_shared<commands::CommandWork>(run_parts_, job, active->run.id,
                                                   std::move(before));
  };
}

Async<Result<FinishedRun>> CommandRunExecutor::finish(Active& active, HookedEnd end) {
  FinishedRun finished;
  const std::optional<PageRunExecutor::Worked>& worked = *active.worked;
  if (worked) finished = worked->finished;
  const RunId& id = active.run.id;
  finished.is_interrupted = end.end == commands::WorkEnd::interrupted;
  finished.is_paused = end.end == commands::WorkEnd::paused;
  auto found = co_await parts_.store.find_run(id);
  if (!found) co_return std::move(found).error();
  if (!*found) co_return Error{ErrorCode::bug, "run " + id.text + " is not in the store"};
  finished.run = std::move(**found);
  if (finished.is_interrupted) co_return finished;
  if (finished.is_paused) {
    auto marked = co_await parts_.store.mark_run(id, RunState::paused);
    if (!marked) co_return std::move(marked).error();
    finished.run.state = RunState::paused;
    co_return finished;
  }
  std::vector<RunError> errors = std::move(end.errors);
  const auto& page_errors = worked ? worked->errors : finished.run.errors;
  for (const RunError& error : page_errors) {
    const bool is_listed_already =
        std::any_of(errors.begin(), errors.end(), [&error](const RunError& each) {
          return each.kind == error.kind && each.message == error.message;
        });
    if (!is_listed_already) errors.push_back(error);
  }
  auto ended =
      co_await parts_.store.end_run(id, end.verdict.state, std::move(errors), parts_.clock.now());
  if (!ended) co_return std::move(ended).error();
  finished.run = std::move(*ended);
  co_return finished;
}

void CommandRunExecutor::halt(const RunId& run, Halt how) {
  const auto found = runs_.find(run);
  if (found == runs_.end()) return parts_.pages.halt(run, how);
  const auto active = found->second;  // the run may end meanwhile
  active->hooked->end(ending_of(how));
}

bool CommandRunExecutor::force(const RunId& run) {
  const auto found = runs_.find(run);
  if (found == runs_.end()) return false;
  const auto active = found->second;
  active->hooked->force();
  return true;
}

void CommandRunExecutor::shut_down() {
  is_shutting_down_ = true;
  const auto all = runs_;
  for (const auto& [id, active] : all) active->hooked->end(Ending::leave);
}

void CommandRunExecutor::cancel_all() {
  const auto all = runs_;
  for (const auto& [id, active] : all) active->hooked->end(Ending::cancel);
}

void CommandRunExecutor::kill_all() {
  const auto all = runs_;
  for (const auto& [id, active] : all) {
    parts_.log.warn(
        fmt::format("{}: what run {} started did not end in time and is killed; the "
                    "next start goes on with the run",
                    active->job.id.text, id.text));
    active->hooked->abandon();
  }
}

Async<void> CommandRunExecutor::idle(Deadline deadline) {
  while (!runs_.empty() && std::chrono::steady_clock::now() < deadline)
    co_await run_ended_.wait(deadline);
}

}  // namespace heddle::hub
