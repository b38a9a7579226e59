#include "hub/program_runs.hpp"

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

// A run that is prepared or carried out.
struct ProgramRuns::Active {
  Active(const commands::RunParts& parts, const Job& its_job, const Run& its_run)
      : job(its_job), run(its_run), hooked(std::make_shared<HookedRun>(parts, its_job, its_run)) {}

  const Job job;
  const Run run;
  std::shared_ptr<HookedRun> hooked;
  // Of pages. Shared with their work, which the hooked run owns.
  std::shared_ptr<std::optional<JobRuns::Worked>> worked =
      std::make_shared<std::optional<JobRuns::Worked>>();
  bool is_carried_out = false;
};

// The pages of a run, between its hooks. Once it is forced nobody waits for those in flight: they
// finish on their own and find their run ended.
class ProgramRuns::PageWork final : public commands::Work {
 public:
  PageWork(boost::asio::any_io_executor loop, JobRuns& pages, const Active& active,
           RunFollower* follower)
      : loop_(std::move(loop)),
        pages_(pages),
        job_(active.job),
        run_(active.run),
        worked_(active.worked) {
    state_->follower.next = follower;
  }

  Async<Result<WorkResult>> work(std::function<void()> on_started) override {
    const auto state = state_;
    state->on_listed = [this, begin = std::move(on_started)] {
      is_listed_ = true;
      if (ending_) pages_.halt(run_.id, halt_of(*ending_));
      begin();
    };
    boost::asio::co_spawn(loop_, work_through(state, pages_, job_, run_), rethrow_bug);
    while (!state->worked && !state->is_forced) co_await state->news.wait();
    state->follower.next = nullptr;
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

  // When the daemon leaves, its workers do, and that ends the work.
  void end(Ending how) override {
    if (how == Ending::leave) return;
    ending_ = how;
    if (is_listed_) pages_.halt(run_.id, halt_of(how));
  }

  void force() override {
    if (!ending_) end(Ending::stop);
    state_->is_forced = true;
    state_->news.ring();
  }

 private:
  // Hands on what happens for as long as somebody wants to know.
  struct Messenger final : RunFollower {
    void page(const PageReport& report) override {
      if (next != nullptr) next->page(report);
    }
    RunFollower* next = nullptr;
  };
  // Shared with the pages in flight.
  struct State {
    Messenger follower{};
    std::function<void()> on_listed{};
    std::optional<Result<JobRuns::Worked>> worked{};
    bool is_forced = false;
    Doorbell news{};
  };

  static Async<void> work_through(std::shared_ptr<State> state, JobRuns& pages, Job job, Run run) {
    auto on_listed = std::move(state->on_listed);
    state->worked =
        co_await pages.work(std::move(job), std::move(run), &state->follower, std::move(on_listed));
    state->news.ring();
  }

  boost::asio::any_io_executor loop_;
  JobRuns& pages_;
  const Job job_;
  const Run run_;
  std::shared_ptr<std::optional<JobRuns::Worked>> worked_;
  std::shared_ptr<State> state_ = std::make_shared<State>();
  std::optional<Ending> ending_;
  bool is_listed_ = false;
};

ProgramRuns::ProgramRuns(boost::asio::any_io_executor loop, ProgramRunsParts parts)
    : parts_(parts),
      tallying_(parts_.journal, parts_.tally),
      journal_(tallying_, parts_.log, [this] { return parts_.waits_for_store && !is_leaving_; }),
      run_parts_{std::move(loop), journal_, parts_.house, parts_.clock, parts_.log} {}

bool ProgramRuns::has_course(const Job& job) const {
  return job.kind != JobKind::web || !job.hooks.empty();
}

Async<Result<Run>> ProgramRuns::begin(Job job, std::string trigger, int attempt,
                                      std::optional<std::int64_t> pages_left) {
  return parts_.pages.begin(std::move(job), std::move(trigger), attempt, pages_left);
}

Async<Result<Run>> ProgramRuns::begin_of_letters(Job job, RunId id, std::vector<LetterId> letters) {
  return parts_.pages.begin_of_letters(std::move(job), std::move(id), std::move(letters));
}

std::shared_ptr<ProgramRuns::Active> ProgramRuns::open(const Job& job, const Run& run) {
  auto& active = runs_[run.id];
  if (active == nullptr) active = std::make_shared<Active>(run_parts_, job, run);
  return active;
}

void ProgramRuns::close(const RunId& run) {
  runs_.erase(run);
  run_over_.ring();
}

// It stays listed until go_on() ends it: hooks may run beside.
Async<Result<bool>> ProgramRuns::prepare(Job job, Run run, std::function<void()> on_listed) {
  const auto active = open(job, run);
  if (is_leaving_) active->hooked->end(Ending::leave);
  if (on_listed) on_listed();
  auto prepared = co_await active->hooked->prepare();
  if (!prepared) close(run.id);
  co_return prepared;
}

Async<Result<FinishedRun>> ProgramRuns::go_on(Job job, Run run, RunFollower* follower,
                                              std::function<void()> on_listed) {
  if (!has_course(job))
    co_return co_await parts_.pages.go_on(std::move(job), std::move(run), follower,
                                          std::move(on_listed));
  const auto active = open(job, run);
  if (std::exchange(active->is_carried_out, true))
    co_return Error{ErrorCode::conflict, "run " + run.id.text + " is being worked on"};
  if (is_leaving_) active->hooked->end(Ending::leave);
  if (on_listed) on_listed();
  auto end = co_await active->hooked->carry_out(make_work(active, follower));
  Result<FinishedRun> finished = Error{ErrorCode::bug, "no end"};
  if (end)
    finished = co_await finish(*active, std::move(*end));
  else
    finished = std::move(end).error();
  close(run.id);
  co_return finished;
}

commands::HookedRun::MakeWork ProgramRuns::make_work(const std::shared_ptr<Active>& active,
                                                     RunFollower* follower) {
  return [this, active,
          follower](std::vector<ProcessRecord> before) -> std::shared_ptr<commands::Work> {
    const Job& job = active->job;
    if (job.kind == JobKind::web)
      return std::make_shared<PageWork>(run_parts_.loop, parts_.pages, *active, follower);
    if (job.kind == JobKind::service)
      return std::make_shared<commands::ServiceWork>(run_parts_, job, active->run.id,
                                                     std::move(before));
    return std::make_shared<commands::CommandWork>(run_parts_, job, active->run.id,
                                                   std::move(before));
  };
}

Async<Result<FinishedRun>> ProgramRuns::finish(Active& active, HookedEnd end) {
  FinishedRun finished;
  const std::optional<JobRuns::Worked>& worked = *active.worked;
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
  const auto& of_pages = worked ? worked->errors : finished.run.errors;
  for (const RunError& error : of_pages) {
    const bool is_told = std::any_of(errors.begin(), errors.end(), [&error](const RunError& each) {
      return each.kind == error.kind && each.message == error.message;
    });
    if (!is_told) errors.push_back(error);
  }
  auto ended =
      co_await parts_.store.end_run(id, end.verdict.state, std::move(errors), parts_.clock.now());
  if (!ended) co_return std::move(ended).error();
  finished.run = std::move(*ended);
  co_return finished;
}

void ProgramRuns::halt(const RunId& run, Halt how) {
  const auto found = runs_.find(run);
  if (found == runs_.end()) return parts_.pages.halt(run, how);
  const auto active = found->second;  // it may end meanwhile
  active->hooked->end(ending_of(how));
}

bool ProgramRuns::force(const RunId& run) {
  const auto found = runs_.find(run);
  if (found == runs_.end()) return false;
  const auto active = found->second;
  active->hooked->force();
  return true;
}

void ProgramRuns::leave() {
  is_leaving_ = true;
  const auto all = runs_;
  for (const auto& [id, active] : all) active->hooked->end(Ending::leave);
}

void ProgramRuns::cancel_all() {
  const auto all = runs_;
  for (const auto& [id, active] : all) active->hooked->end(Ending::cancel);
}

void ProgramRuns::abandon() {
  const auto all = runs_;
  for (const auto& [id, active] : all) {
    parts_.log.warn(
        fmt::format("{}: what run {} started did not end in time and is killed; the "
                    "next start goes on with the run",
                    active->job.id.text, id.text));
    active->hooked->abandon();
  }
}

Async<void> ProgramRuns::idle(Deadline deadline) {
  while (!runs_.empty() && std::chrono::steady_clock::now() < deadline)
    co_await run_over_.wait(deadline);
}

}  // namespace heddle::hub
