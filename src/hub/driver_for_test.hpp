// A driver over a real store, with an office that is played: a run ends when the test says so.
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
#include "hub/job_driver.hpp"
#include "lifecycle/run_keeper.hpp"
#include "store/sqlite/sqlite_reader.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::hub {

class PlayedOffice final : public RunOffice {
 public:
  PlayedOffice(store::Store& store, const Clock& clock)
      : store_(store), keeper_(store, clock), clock_(clock) {}

  Async<Result<heddle::Run>> begin(Job job, std::string trigger, int attempt,
                                   std::optional<std::int64_t> pages_left) override {
    if (cannot_begin) co_return Error{ErrorCode::unavailable, "the disk is full"};
    auto begun = co_await keeper_.begin(job, std::move(trigger), attempt, pages_left);
    if (!begun) co_return std::move(begun).error();
    begun_runs.push_back(begun->run);
    co_return begun->run;
  }

  Async<Result<heddle::Run>> begin_of_letters(Job job, RunId id,
                                              std::vector<LetterId> letters) override {
    if (cannot_begin) co_return Error{ErrorCode::unavailable, "the disk is full"};
    auto begun = co_await keeper_.begin_of_letters(job, std::move(id), std::move(letters));
    if (begun) begun_runs.push_back(*begun);
    co_return begun;
  }

  Async<Result<FinishedRun>> go_on(Job job, heddle::Run run, RunFollower*,
                                   std::function<void()> on_listed) override {
    auto& end = under_way[run.id.text];
    end.job = job.id;
    if (on_listed) on_listed();
    while (!end.state && !end.halt && !is_leaving) co_await news.wait();
    const End how = end;
    under_way.erase(run.id.text);
    FinishedRun finished;
    finished.is_quarantined = how.is_quarantined;
    finished.is_interrupted = !how.state && !how.halt;
    if (finished.is_interrupted) {
      finished.run = std::move(run);
      co_return finished;
    }
    if (!how.state && *how.halt == Halt::pause) {
      auto marked = co_await store_.mark_run(run.id, RunState::paused);
      if (!marked) co_return std::move(marked).error();
      finished.is_paused = true;
      finished.run = std::move(run);
      co_return finished;
    }
    const RunState state = how.state                 ? *how.state
                           : *how.halt == Halt::stop ? RunState::stopped
                                                     : RunState::cancelled;
    std::vector<RunError> no_errors;
    auto ended = co_await store_.end_run(run.id, state, std::move(no_errors), clock_.now());
    if (!ended) co_return std::move(ended).error();
    finished.run = std::move(*ended);
    co_return finished;
  }

  void halt(const RunId& run, Halt how) override {
    const auto found = under_way.find(run.text);
    if (found == under_way.end() || is_deaf) return;
    found->second.halt = how;
    news.ring();
  }

  void forgive(const JobId& job) override { forgiven.push_back(job.text); }

  void finish(const std::string& job, RunState state, bool is_quarantined = false) {
    for (auto& [run, end] : under_way)
      if (end.job.text == job && !end.state) {
        end.state = state;
        end.is_quarantined = is_quarantined;
      }
    news.ring();
  }

  [[nodiscard]] bool works_on(const std::string& job) const {
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
  std::vector<heddle::Run> begun_runs;
  std::vector<std::string> forgiven;
  bool cannot_begin = false;
  bool is_deaf = false;     // pages in flight hang
  bool is_leaving = false;  // the daemon is
  Doorbell news;

 private:
  store::Store& store_;
  lifecycle::RunKeeper keeper_;
  const Clock& clock_;
};

class DriverFixture : public ::testing::Test {
 protected:
  static constexpr auto kPatience = std::chrono::seconds(20);

  void SetUp() override {
    come_up();
    begin_keeping_time();
  }
  void TearDown() override { go_down(); }

  // A daemon's start, on what is in the store.
  void come_up() {
    loop_ = std::make_unique<boost::asio::io_context>(1);
    auto opened = store::SqliteStore::open(file());
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = std::move(*opened);
    office_ = std::make_unique<PlayedOffice>(*store_, clock_);
    command_office_ = std::make_unique<PlayedOffice>(*store_, clock_);
    DriverParts parts{RunOffices(*office_), *store_, clock_, log_, "/usr/share/zoneinfo", nullptr};
    parts.offices.set(JobKind::command, *command_office_);
    parts.on_run_ended = [this](const FinishedRun& finished) {
      ended_.emplace_back(to_text(finished.run.state));
    };
    driver_ = std::make_unique<JobDriver>(loop_->get_executor(), std::move(parts), rules_);
    ASSERT_TRUE(drive(driver_->load()));
  }

  void begin_keeping_time() { boost::asio::co_spawn(*loop_, driver_->keep_time(), rethrow_bug); }

  void adopt(std::vector<Job> jobs) {
    const auto adopted = drive(driver_->adopt(std::move(jobs)));
    ASSERT_TRUE(adopted) << adopted.error().message;
  }

  void go_down() {
    driver_->leave();
    for (PlayedOffice* office : {office_.get(), command_office_.get()}) {
      office->is_leaving = true;
      office->news.ring();
    }
    EXPECT_TRUE(run_until([this] { return driver_->runs_under_way() == 0; }));
    loop_->poll();
    driver_.reset();
    office_.reset();
    command_office_.reset();
    loop_.reset();
    store_.reset();
  }

  // Whatever is not in the store is lost.
  void restart(std::vector<Job> jobs) {
    go_down();
    come_up();
    adopt(std::move(jobs));
    const auto taken_up = drive(driver_->take_up_leftovers());
    ASSERT_TRUE(taken_up) << taken_up.error().message;
    begin_keeping_time();
  }

  template <class Condition>
  bool run_until(Condition holds) {
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
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

  Result<JobLife> act(const std::string& job, lifecycle::JobAction action, bool at_once = false) {
    return drive(driver_->act(JobId{job}, action, at_once));
  }

  [[nodiscard]] const JobLife& life(const std::string& job) const {
    return *driver_->keeper().find(JobId{job});
  }
  [[nodiscard]] JobState state(const std::string& job) const { return life(job).state; }
  bool comes_to(const std::string& job, JobState wanted) {
    return run_until([&] { return state(job) == wanted; });
  }
  bool is_worked_on(const std::string& job) {
    return run_until([&] { return office_->works_on(job); });
  }

  // Time goes by to the job's next start, not further.
  void wait_for_next_run(const std::string& job) {
    ASSERT_TRUE(life(job).next_run_at);
    advance(std::max(*life(job).next_run_at - clock_.now(), std::chrono::milliseconds(0)));
  }
  void advance(std::chrono::milliseconds by) {
    clock_.advance(by);
    driver_->look();
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
  DriverRules rules_;
  std::unique_ptr<boost::asio::io_context> loop_;
  std::unique_ptr<store::SqliteStore> store_;
  std::unique_ptr<PlayedOffice> office_;
  std::unique_ptr<PlayedOffice> command_office_;  // of jobs that run commands
  std::unique_ptr<JobDriver> driver_;
  std::vector<std::string> ended_;  // states of the runs that ended, as the driver told them
};

}  // namespace heddle::hub
