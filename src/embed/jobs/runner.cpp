#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <dlfcn.h>
#include <heddle/jobs.hpp>
#include <unistd.h>

#include "base/rethrow_bug.hpp"
#include "base/wake_signal.hpp"
#include "commands/command_work.hpp"
#include "commands/hooked_run.hpp"
#include "embed/jobs/job_handle_state.hpp"
#include "process/tree/program_cgroup.hpp"
#include "schedule/catch_up.hpp"
#include "schedule/zone/zone.hpp"

namespace heddle::jobs {

namespace asio = boost::asio;

namespace {

// Within this time a schedule notices that the clock was set.
constexpr std::chrono::seconds kMaxSleep{30};
constexpr const char* kZoneDatabase = "/usr/share/zoneinfo";

// Searches beside this library and in the libexec folder of its installation.
std::filesystem::path find_own_shepherd() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&find_own_shepherd), &info) == 0 ||
      info.dli_fname == nullptr)
    return {};
  std::error_code failed;
  auto folder = std::filesystem::weakly_canonical(info.dli_fname, failed).parent_path();
  while (folder.has_relative_path()) {
    for (const char* candidate : {"libexec/heddle/heddle-shepherd", "heddle-shepherd"})
      if (access((folder / candidate).c_str(), X_OK) == 0) return folder / candidate;
    folder = folder.parent_path();
  }
  return {};
}

commands::Variables own_environment() {
  commands::Variables variables;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos)
      variables.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return variables;
}

}  // namespace

// Runs its loop on its own thread.
class Runner::Impl : public std::enable_shared_from_this<Runner::Impl> {
 public:
  explicit Impl(std::filesystem::path shepherd)
      : output_log_(output_log_rules()),
        launch_context_{std::move(shepherd), own_environment(), output_log_} {
    launch_context_.cgroup = process::find_delegated_cgroup();
    thread_ = std::thread([this] { loop_->run(); });
  }

  void end() {
    asio::post(*loop_, [this] {
      stopping_.close();
      for (const auto& [id, run] : runs_) run->halt(Halt::force);
    });
    {
      std::unique_lock lock(mutex_);
      idle_.wait_for(lock, std::chrono::seconds(3), [this] { return active_jobs_ == 0; });
    }
    loop_->stop();
    thread_.join();
    launch_context_.start_thread.close();
    runs_.clear();
    plans_.clear();
    work_.reset();
    loop_.reset();  // destroys unfinished coroutines, which share this object
  }

  Handle start(Spec spec) {
    auto state = make_state(spec);
    asio::post(*loop_, [self = shared_from_this(), state] { self->begin(state); });
    return Handle(state);
  }

  ScheduleId schedule(const std::string& cron, Spec spec, std::function<void(const Handle&)> notify,
                      Overlap overlap, const std::string& zone) {
    auto expression = heddle::schedule::parse_cron(cron);
    if (!expression) throw std::invalid_argument("heddle::jobs: " + expression.error().message);
    auto found = find_zone(zone);
    if (!found) throw std::invalid_argument("heddle::jobs: " + found.error().message);
    (void)to_job(spec);  // validates the spec now
    const ScheduleId id = ++last_schedule_;
    auto plan = std::make_shared<Plan>();
    plan->schedule.when = std::move(*expression);
    plan->schedule.zone = std::move(*found);
    plan->spec = std::move(spec);
    plan->notify = std::move(notify);
    plan->overlap = overlap;
    asio::post(*loop_, [self = shared_from_this(), id, plan] {
      self->plans_[id] = plan;
      asio::co_spawn(*self->loop_, run_schedule(self, plan), rethrow_bug);
    });
    return id;
  }

  void unschedule(ScheduleId id) {
    asio::post(*loop_, [self = shared_from_this(), id] {
      const auto found = self->plans_.find(id);
      if (found == self->plans_.end()) return;
      found->second->is_over = true;
      found->second->over.close();
      self->plans_.erase(found);
    });
  }

 private:
  struct Plan {
    heddle::schedule::Schedule schedule{};
    Spec spec{};
    std::function<void(const Handle&)> notify{};
    Overlap overlap = Overlap::skip;
    bool is_over = false;
    WakeSignal over{};
  };

  Result<std::shared_ptr<const heddle::schedule::TimeZone>> find_zone(const std::string& name) {
    const std::lock_guard lock(mutex_);
    return zones_.get(name);
  }

  commands::OutputLogRules output_log_rules() {
    commands::OutputLogRules rules;
    rules.on_line = [this](const commands::OutputTag& tag, std::string_view line) {
      std::function<void(const OutputLine&)> notify;
      {
        const std::lock_guard lock(mutex_);
        const auto found = listeners_.find(tag.run);
        if (found != listeners_.end()) notify = found->second;
      }
      if (!notify) return;
      OutputLine output;
      output.job = tag.job.text;
      output.program = tag.program;
      output.is_error = tag.stream == commands::OutputStream::errors;
      output.text = line;
      notify(output);
    };
    return rules;
  }

  std::shared_ptr<Handle::State> make_state(Spec& spec) {
    Run run;
    run.id = {make_unique_id(clock_.now())};
    run.started_at = clock_.now();
    auto state = std::make_shared<Handle::State>(to_job(spec), run);
    const std::lock_guard lock(mutex_);
    ++active_jobs_;
    if (spec.on_output) listeners_[run.id] = std::move(spec.on_output);
    return state;
  }

  // This function and all below run on the loop.
  void begin(const std::shared_ptr<Handle::State>& state) {
    asio::co_spawn(*loop_, carry_out(shared_from_this(), state), rethrow_bug);
  }

  static Async<void> carry_out(std::shared_ptr<Impl> self, std::shared_ptr<Handle::State> state) {
    const auto journal = std::make_shared<StatusJournal>(state);
    const commands::RunParts parts{self->loop_->get_executor(), *journal, self->launch_context_,
                                   self->clock_, self->log_};
    const auto run = std::make_shared<commands::HookedRun>(parts, state->job(), state->run());
    self->runs_[state->run().id] = run;
    state->set_stop([weak = std::weak_ptr(self), run] {
      const auto alive = weak.lock();
      if (alive == nullptr || alive->loop_ == nullptr) return;
      asio::post(*alive->loop_, [run] { run->halt(Halt::stop); });
    });
    commands::HookedRun::MakeWork make =
        [&parts, &state](std::vector<ProcessRecord> before) -> std::shared_ptr<commands::RunWork> {
      return std::make_shared<commands::CommandWork>(parts, state->job(), state->run().id,
                                                     std::move(before));
    };
    auto end = co_await run->carry_out(std::move(make));
    self->runs_.erase(state->run().id);
    RunOutcome outcome;
    if (end) {
      outcome = end->outcome;
      if (outcome.message.empty() && !end->errors.empty()) {
        outcome.reason = end->errors.front().kind;
        outcome.message = end->errors.front().message;
      }
    } else {
      outcome.state = RunState::failed;
      outcome.message = end.error().message;
    }
    self->set_ended(*state, journal->history(), outcome);
  }

  void set_ended(Handle::State& state, const ProgramHistory& history, const RunOutcome& outcome) {
    state.set_ended(history, outcome);
    run_ended_.notify();
    const std::lock_guard lock(mutex_);
    listeners_.erase(state.run().id);
    if (--active_jobs_ == 0) idle_.notify_all();
  }

  static Async<void> run_schedule(std::shared_ptr<Impl> self, std::shared_ptr<Plan> plan) {
    std::shared_ptr<Handle::State> previous;
    WallTime after = self->clock_.now();
    while (!plan->is_over && !self->stopping_.is_closed()) {
      const WallTime now = self->clock_.now();
      const auto next = heddle::schedule::plan_next(plan->schedule, 0, after, now, {});
      if (!next) co_return;
      const auto left = next->tick.due - now;
      if (left > std::chrono::milliseconds(0)) {
        co_await plan->over.wait_for(std::min<std::chrono::milliseconds>(left, kMaxSleep));
        continue;
      }
      after = next->covers_until;
      const bool is_busy = previous != nullptr && !previous->status().is_over();
      if (is_busy && plan->overlap == Overlap::skip) continue;
      while (previous != nullptr && !previous->status().is_over() && !plan->is_over)
        co_await self->run_ended_.wait_for(std::chrono::milliseconds(100));
      if (plan->is_over) co_return;
      Spec spec = plan->spec;
      previous = self->make_state(spec);
      self->begin(previous);
      if (plan->notify) plan->notify(Handle(previous));
    }
  }

  std::unique_ptr<asio::io_context> loop_ = std::make_unique<asio::io_context>(1);
  asio::executor_work_guard<asio::io_context::executor_type> work_ = asio::make_work_guard(*loop_);
  SystemClock clock_;
  NoLog log_;
  std::mutex mutex_;  // guards the members up to output_log_
  std::condition_variable idle_;
  int active_jobs_ = 0;
  std::map<RunId, std::function<void(const OutputLine&)>> listeners_;
  commands::OutputLog output_log_;
  commands::LaunchContext launch_context_;
  heddle::schedule::ZoneCache zones_{kZoneDatabase};
  std::atomic<ScheduleId> last_schedule_{0};
  std::map<ScheduleId, std::shared_ptr<Plan>> plans_;
  std::map<RunId, std::shared_ptr<commands::HookedRun>> runs_;
  WakeSignal run_ended_;
  WakeSignal stopping_;
  std::thread thread_;
};

Runner::Runner(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

std::unique_ptr<Runner> Runner::create(RunnerOptions options) {
  if (options.shepherd.empty()) options.shepherd = find_own_shepherd();
  if (access(options.shepherd.c_str(), X_OK) != 0)
    throw std::runtime_error("heddle::jobs: no heddle-shepherd in this installation");
  return std::unique_ptr<Runner>(new Runner(std::make_shared<Impl>(std::move(options.shepherd))));
}

Runner::~Runner() {
  impl_->end();
}

Handle Runner::start(Spec spec) {
  return impl_->start(std::move(spec));
}

Runner::ScheduleId Runner::schedule(const std::string& cron, Spec spec,
                                    std::function<void(const Handle&)> on_start, Overlap overlap,
                                    const std::string& zone) {
  return impl_->schedule(cron, std::move(spec), std::move(on_start), overlap, zone);
}

void Runner::unschedule(ScheduleId id) {
  impl_->unschedule(id);
}

}  // namespace heddle::jobs
