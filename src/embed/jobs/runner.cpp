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

#include "base/doorbell.hpp"
#include "base/rethrow_bug.hpp"
#include "commands/command_work.hpp"
#include "commands/hooked_run.hpp"
#include "embed/jobs/job_state.hpp"
#include "schedule/cron_ticks.hpp"
#include "schedule/zone/zone.hpp"

namespace heddle::jobs {

namespace asio = boost::asio;

namespace {

constexpr const char* kZoneDatabase = "/usr/share/zoneinfo";

// Beside this library, or in the libexec folder of its installation.
std::filesystem::path find_own_shepherd() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&find_own_shepherd), &info) == 0 ||
      info.dli_fname == nullptr)
    return {};
  std::error_code failed;
  auto folder = std::filesystem::weakly_canonical(info.dli_fname, failed).parent_path();
  while (folder.has_relative_path()) {
    for (const char* place : {"libexec/heddle/heddle-shepherd", "heddle-shepherd"})
      if (access((folder / place).c_str(), X_OK) == 0) return folder / place;
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

// Its loop runs on a thread of its own.
class Runner::Impl : public std::enable_shared_from_this<Runner::Impl> {
 public:
  explicit Impl(std::filesystem::path shepherd)
      : book_(book_rules()), house_{std::move(shepherd), own_environment(), book_} {
    thread_ = std::thread([this] { loop_->run(); });
  }

  void end() {
    asio::post(*loop_, [this] {
      is_over_.ring_for_good();
      for (const auto& [id, run] : runs_) run->force();
    });
    {
      std::unique_lock lock(mutex_);
      idle_.wait_for(lock, std::chrono::seconds(3), [this] { return under_way_ == 0; });
    }
    loop_->stop();
    thread_.join();
    house_.starts.close();
    runs_.clear();
    plans_.clear();
    work_.reset();
    loop_.reset();  // with the coroutines that have not ended, which hold this object
  }

  Handle start(Spec spec) {
    auto state = make_state(spec);
    asio::post(*loop_, [self = shared_from_this(), state] { self->begin(state); });
    return Handle(state);
  }

  ScheduleId schedule(const std::string& cron, Spec spec, std::function<void(const Handle&)> tell,
                      Overlap overlap, const std::string& zone) {
    auto expression = heddle::schedule::parse_cron(cron);
    if (!expression) throw std::invalid_argument("heddle::jobs: " + expression.error().message);
    auto found = find_zone(zone);
    if (!found) throw std::invalid_argument("heddle::jobs: " + found.error().message);
    (void)to_job(spec);  // complains now
    const ScheduleId id = ++last_schedule_;
    auto plan = std::make_shared<Plan>();
    plan->cron = std::move(*expression);
    plan->zone = std::move(*found);
    plan->spec = std::move(spec);
    plan->tell = std::move(tell);
    plan->overlap = overlap;
    asio::post(*loop_, [self = shared_from_this(), id, plan] {
      self->plans_[id] = plan;
      asio::co_spawn(*self->loop_, keep_time(self, plan), rethrow_bug);
    });
    return id;
  }

  void unschedule(ScheduleId id) {
    asio::post(*loop_, [self = shared_from_this(), id] {
      const auto found = self->plans_.find(id);
      if (found == self->plans_.end()) return;
      found->second->is_over = true;
      found->second->over.ring_for_good();
      self->plans_.erase(found);
    });
  }

 private:
  struct Plan {
    heddle::schedule::CronExpression cron{};
    std::shared_ptr<const heddle::schedule::Zone> zone{};
    Spec spec{};
    std::function<void(const Handle&)> tell{};
    Overlap overlap = Overlap::skip;
    bool is_over = false;
    Doorbell over{};
  };

  Result<std::shared_ptr<const heddle::schedule::Zone>> find_zone(const std::string& name) {
    const std::lock_guard lock(mutex_);
    return zones_.get(name);
  }

  commands::BookRules book_rules() {
    commands::BookRules rules;
    rules.on_line = [this](const commands::OutputTag& tag, std::string_view line) {
      std::function<void(const OutputLine&)> tell;
      {
        const std::lock_guard lock(mutex_);
        const auto found = listeners_.find(tag.run);
        if (found != listeners_.end()) tell = found->second;
      }
      if (!tell) return;
      OutputLine output;
      output.job = tag.job.text;
      output.program = tag.program;
      output.is_error = tag.stream == commands::OutputStream::errors;
      output.text = line;
      tell(output);
    };
    return rules;
  }

  std::shared_ptr<Handle::State> make_state(Spec& spec) {
    Run run;
    run.id = {make_unique_id(clock_.now())};
    run.started_at = clock_.now();
    auto state = std::make_shared<Handle::State>(to_job(spec), run);
    const std::lock_guard lock(mutex_);
    ++under_way_;
    if (spec.on_output) listeners_[run.id] = std::move(spec.on_output);
    return state;
  }

  // On the loop, like all below.
  void begin(const std::shared_ptr<Handle::State>& state) {
    asio::co_spawn(*loop_, carry_out(shared_from_this(), state), rethrow_bug);
  }

  static Async<void> carry_out(std::shared_ptr<Impl> self, std::shared_ptr<Handle::State> state) {
    const auto journal = std::make_shared<StatusJournal>(state);
    const commands::RunParts parts{self->loop_->get_executor(), *journal, self->house_,
                                   self->clock_, self->log_};
    const auto run = std::make_shared<commands::HookedRun>(parts, state->job(), state->run());
    self->runs_[state->run().id] = run;
    state->set_stop([weak = std::weak_ptr(self), run] {
      const auto still_there = weak.lock();
      if (still_there == nullptr || still_there->loop_ == nullptr) return;
      asio::post(*still_there->loop_, [run] { run->end(commands::Ending::stop); });
    });
    commands::HookedRun::MakeWork make =
        [&parts, &state](std::vector<ProcessRecord> before) -> std::shared_ptr<commands::Work> {
      return std::make_shared<commands::CommandWork>(parts, state->job(), state->run().id,
                                                     std::move(before));
    };
    auto end = co_await run->carry_out(std::move(make));
    self->runs_.erase(state->run().id);
    RunVerdict verdict;
    if (end) {
      verdict = end->verdict;
      if (verdict.message.empty() && !end->errors.empty()) {
        verdict.reason = end->errors.front().kind;
        verdict.message = end->errors.front().message;
      }
    } else {
      verdict.state = RunState::failed;
      verdict.message = end.error().message;
    }
    self->note_end(*state, journal->history(), verdict);
  }

  void note_end(Handle::State& state, const ProgramHistory& history, const RunVerdict& verdict) {
    state.note_end(history, verdict);
    run_over_.ring();
    const std::lock_guard lock(mutex_);
    listeners_.erase(state.run().id);
    if (--under_way_ == 0) idle_.notify_all();
  }

  static Async<void> keep_time(std::shared_ptr<Impl> self, std::shared_ptr<Plan> plan) {
    std::shared_ptr<Handle::State> former;
    WallTime after = self->clock_.now();
    while (!plan->is_over && !self->is_over_.rings_for_good()) {
      const auto next = heddle::schedule::next_tick(plan->cron, *plan->zone, after);
      if (!next) co_return;
      const WallTime due = *next;
      const auto left = due - self->clock_.now();
      if (left > std::chrono::milliseconds(0)) {
        co_await plan->over.wait_for(left);
        continue;
      }
      after = std::max(due, self->clock_.now() - std::chrono::seconds(1));
      const bool is_busy = former != nullptr && !former->status().is_over();
      if (is_busy && plan->overlap == Overlap::skip) continue;
      while (former != nullptr && !former->status().is_over() && !plan->is_over)
        co_await self->run_over_.wait_for(std::chrono::milliseconds(100));
      if (plan->is_over) co_return;
      Spec spec = plan->spec;
      former = self->make_state(spec);
      self->begin(former);
      if (plan->tell) plan->tell(Handle(former));
    }
  }

  std::unique_ptr<asio::io_context> loop_ = std::make_unique<asio::io_context>(1);
  asio::executor_work_guard<asio::io_context::executor_type> work_ = asio::make_work_guard(*loop_);
  SystemClock clock_;
  NoLog log_;
  std::mutex mutex_;  // guards what follows, up to the book
  std::condition_variable idle_;
  int under_way_ = 0;
  std::map<RunId, std::function<void(const OutputLine&)>> listeners_;
  commands::OutputBook book_;
  commands::ProgramHouse house_;
  heddle::schedule::ZoneCache zones_{kZoneDatabase};
  std::atomic<ScheduleId> last_schedule_{0};
  std::map<ScheduleId, std::shared_ptr<Plan>> plans_;
  std::map<RunId, std::shared_ptr<commands::HookedRun>> runs_;
  Doorbell run_over_;
  Doorbell is_over_;
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
