// A JobScheduler with a real store and a fake executor: a run ends when the test says so.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <gmock/gmock.h>

#include "base/rethrow_bug.hpp"
#include "hub/jobs/job_scheduler.hpp"
#include "store/sqlite/sqlite_reader.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::hub {

class FakeExecutor final : public RunExecutor {
 public:
  FakeExecutor(store::Store& store, const Clock& clock) : store_(store), clock_(clock) {}

  [[nodiscard]] bool has_stages(const Job&) const override { return false; }
  Async<Result<bool>> prepare(Job, heddle::Run, std::function<void()>) override { co_return true; }

  Async<Result<ExecutionResult>> execute(Job job, heddle::Run run, RunObserver*,
                                         std::function<void()> on_registered) override {
    auto& end = under_way[run.id.text];
    end.job = job.id;
    if (on_registered) on_registered();
    while (!end.state && !end.halt && !is_shutting_down) co_await changed.wait();
    const End how = end;
    under_way.erase(run.id.text);
    ExecutionResult result;
    result.is_quarantined = how.is_quarantined;
    if (!how.state && !how.halt) {
      result.end = ExecutionEnd::interrupted;
      result.run = std::move(run);
      co_return result;
    }
    if (!how.state && *how.halt == Halt::pause) {
      auto marked = co_await store_.mark_run(run.id, RunState::paused);
      if (!marked) co_return std::move(marked).error();
      result.end = ExecutionEnd::paused;
      result.run = std::move(run);
      co_return result;
    }
    result.outcome.state = how.state ? *how.state : halted_state(*how.halt);
    auto ended =
        co_await store_.end_run(run.id, result.outcome.state, std::move(run.errors), clock_.now());
    if (!ended) co_return std::move(ended).error();
    result.run = std::move(*ended);
    co_return result;
  }

  bool halt(const RunId& run, Halt how) override {
    const auto found = under_way.find(run.text);
    if (found == under_way.end() || ignores_halt || how == Halt::force) return false;
    found->second.halt = how;
    changed.notify();
    return true;
  }

  void finish(const std::string& job, RunState state, bool is_quarantined = false) {
    for (auto& [run, end] : under_way)
      if (end.job.text == job && !end.state) {
        end.state = state;
        end.is_quarantined = is_quarantined;
      }
    changed.notify();
  }

  [[nodiscard]] bool is_executing(const std::string& job) const {
    for (const auto& [run, end] : under_way)
      if (end.job.text == job) return true;
    return false;
  }

  struct End {
    JobId job;
    std::optional<RunState> state;
    std::optional<Halt> halt;
    bool is_quarantined = false;
  };
  std::map<std::string, End> under_way;
  bool ignores_halt = false;  // pages in flight hang
  bool is_shutting_down = false;
  WakeSignal changed;

 private:
  store::Store& store_;
  const Clock& clock_;
};

class JobSchedulerFixture : public ::testing::Test {
 protected:
  static constexpr auto kTimeout = std::chrono::seconds(20);

  void SetUp() override {
    start_daemon();
    start_schedule();
  }
  void TearDown() override { stop_daemon(); }

  // Starts a daemon on the same store.
  void start_daemon() {
    loop_ = std::make_unique<boost::asio::io_context>(1);
    auto opened = store::SqliteStore::open(file());
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = std::move(*opened);
    executor_ = std::make_unique<FakeExecutor>(*store_, clock_);
    stored_before_ = stored_runs().size();
    SchedulerParts parts{*executor_, *store_, clock_, log_, "/usr/share/zoneinfo"};
    parts.clear_crashes = [this](const JobId& job) { cleared_.push_back(job.text); };
    parts.on_run_ended = [this](const ExecutionResult& finished) {
      ended_.emplace_back(to_text(finished.run.state));
    };
    scheduler_ = std::make_unique<JobScheduler>(loop_->get_executor(), std::move(parts), rules_);
    ASSERT_TRUE(drive(scheduler_->load()));
  }

  void start_schedule() { boost::asio::co_spawn(*loop_, scheduler_->run_schedule(), rethrow_bug); }

  void configure(std::vector<Job> jobs) {
    const auto configured = drive(scheduler_->configure_jobs(std::move(jobs)));
    ASSERT_TRUE(configured) << configured.error().message;
  }

  void stop_daemon() {
    scheduler_->shut_down();
    executor_->is_shutting_down = true;
    executor_->changed.notify();
    EXPECT_TRUE(run_until([this] { return scheduler_->runs_under_way() == 0; }));
    loop_->poll();
    scheduler_.reset();
    executor_.reset();
    loop_.reset();
    store_.reset();
  }

  // Everything that is not in the store is lost.
  void restart(std::vector<Job> jobs) {
    stop_daemon();
    start_daemon();
    configure(std::move(jobs));
    const auto recovered = drive(scheduler_->recover());
    ASSERT_TRUE(recovered) << recovered.error().message;
    start_schedule();
  }

  template <class Condition>
  bool run_until(Condition holds) {
    const auto deadline = std::chrono::steady_clock::now() + kTimeout;
    while (!holds()) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      loop_->restart();
      loop_->run_one_for(std::chrono::milliseconds(10));
    }
    return true;
  }

  template <class T>
  T drive(Async<T> work) {
    std::optional<T> result;
    boost::asio::co_spawn(*loop_, std::move(work), [&](const std::exception_ptr& bug, T value) {
      rethrow_bug(bug);
      result = std::move(value);
    });
    EXPECT_TRUE(run_until([&] { return result.has_value(); }));
    return std::move(*result);
  }

  Result<JobStatus> act(const std::string& job, lifecycle::JobAction action, bool force = false) {
    return drive(scheduler_->act(JobId{job}, {action, force, "cli:anna"}));
  }

  [[nodiscard]] const JobStatus& status(const std::string& job) const {
    return *scheduler_->status_store().find(JobId{job});
  }
  [[nodiscard]] JobState state(const std::string& job) const { return status(job).state; }
  bool reaches(const std::string& job, JobState wanted) {
    return run_until([&] { return state(job) == wanted; });
  }
  bool wait_until_executing(const std::string& job) {
    return run_until([&] { return executor_->is_executing(job); });
  }

  // Advances the clock exactly to the job's next start.
  void wait_for_next_run(const std::string& job) {
    ASSERT_TRUE(status(job).next_run_at);
    advance(std::max(*status(job).next_run_at - clock_.now(), std::chrono::milliseconds(0)));
  }
  void advance(std::chrono::milliseconds by) {
    clock_.advance(by);
    scheduler_->wake();
  }

  // The runs that began since the daemon started, oldest first.
  [[nodiscard]] std::vector<heddle::Run> begun_runs() const {
    std::vector<heddle::Run> runs = stored_runs();
    runs.erase(runs.begin(), runs.begin() + static_cast<std::ptrdiff_t>(stored_before_));
    return runs;
  }
  [[nodiscard]] std::vector<heddle::Run> stored_runs() const {
    std::vector<heddle::Run> runs;
    auto reader = store::SqliteReader::open(file());
    if (!reader) return runs;
    const auto events = (*reader)->events(0, 10'000);
    if (!events) return runs;
    for (const auto& event : *events) {
      if (event.kind != "run.started") continue;
      auto run = (*reader)->run(event.run);
      if (run && *run) runs.push_back(std::move(**run));
    }
    return runs;
  }

  // "job.paused", … of the job, oldest first.
  std::vector<std::string> events(const std::string& job) {
    auto reader = store::SqliteReader::open(file());
    std::vector<std::string> kinds;
    if (!reader) return kinds;
    auto all = (*reader)->events(0, 10'000);
    if (!all) return kinds;
    for (const auto& event : *all)
      if (event.job.text == job) kinds.push_back(event.kind);
    return kinds;
  }

  // The data of the newest event of that kind.
  [[nodiscard]] std::string event_data(const std::string& kind) const {
    std::string data;
    auto reader = store::SqliteReader::open(file());
    if (!reader) return data;
    const auto all = (*reader)->events(0, 10'000);
    for (const auto& event : *all)
      if (event.kind == kind) data = event.data;
    return data;
  }

  static Job job(const std::string& id, const std::string& schedule = "manual") {
    Job made;
    made.id = JobId{id};
    made.name = id;
    made.urls = {"http://a/" + id};
    made.timezone = "UTC";
    made.revision = "r1";
    if (schedule.ends_with("m"))
      made.interval = std::chrono::minutes(std::stoi(schedule));
    else
      made.schedule = schedule;
    return made;
  }

  [[nodiscard]] std::filesystem::path file() const { return folder_.path() / "heddle.db"; }

  heddle::testing::TemporaryFolder folder_;
  ManualClock clock_{*parse_iso8601("2026-11-15T12:00:00Z")};
  NoLog log_;
  SchedulerRules rules_;
  std::unique_ptr<boost::asio::io_context> loop_;
  std::unique_ptr<store::SqliteStore> store_;
  std::unique_ptr<FakeExecutor> executor_;
  std::unique_ptr<JobScheduler> scheduler_;
  std::size_t stored_before_ = 0;     // runs, when the daemon started
  std::vector<std::string> cleared_;  // jobs whose crashes were forgotten
  std::vector<std::string> ended_;    // states of the ended runs, as reported
};

}  // namespace heddle::hub
