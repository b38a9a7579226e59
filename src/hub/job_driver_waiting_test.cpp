// JobDriver: runs that are wanted while every place is taken.
#include "hub/driver_for_test.hpp"

namespace heddle::hub {
namespace {

using lifecycle::JobAction;
using ::testing::Contains;
using ::testing::Not;
using namespace std::chrono_literals;

class JobDriverWaiting : public DriverFixture {
 protected:
  void SetUp() override {
    rules_.runs_in_parallel = 1;
    DriverFixture::SetUp();
  }

  // "long" has the only place from here on.
  void fill_the_place(const std::vector<Job>& others) {
    jobs_ = others;
    jobs_.push_back(job("long"));
    adopt(jobs_);
    ASSERT_TRUE(act("long", JobAction::trigger));
    ASSERT_TRUE(is_worked_on("long"));
  }
  void finish_long() { office_->finish("long", RunState::completed); }

  bool comes_to_wait(const std::string& id) {
    return run_until([&] { return life(id).waiting.has_value(); });
  }
  bool is_idle() {
    return run_until([&] { return driver_->runs_under_way() == 0; });
  }
  void finish(const std::string& id) {
    ASSERT_TRUE(is_worked_on(id));
    office_->finish(id, RunState::completed);
  }
  [[nodiscard]] std::size_t runs_of(const std::string& id) const {
    std::size_t count = 0;
    for (const heddle::Run& run : office_->begun_runs)
      if (run.job.text == id) ++count;
    return count;
  }

  std::vector<Job> jobs_;
};

TEST_F(JobDriverWaiting, KeepsATriggerOverARestart) {
  fill_the_place({job("shop")});
  const auto answer = act("shop", JobAction::trigger);
  ASSERT_TRUE(answer) << answer.error().message;
  ASSERT_TRUE(answer->waiting) << "whoever asked can see it";
  EXPECT_EQ(answer->waiting->trigger, "manual");
  EXPECT_EQ(answer->waiting->since, clock_.now());
  EXPECT_THAT(events("shop"), Contains("run.waiting")) << "it was stored before the answer";
  const WallTime since = clock_.now();
  clock_.advance(5min);
  restart(jobs_);
  ASSERT_TRUE(life("shop").waiting);
  EXPECT_EQ(life("shop").waiting->since, since);
  ASSERT_TRUE(is_worked_on("long"));
  EXPECT_FALSE(office_->works_on("shop"));
  EXPECT_EQ(driver_->waiting_runs().count, 1u);
  finish_long();
  ASSERT_TRUE(is_worked_on("shop"));
  EXPECT_EQ(office_->begun_runs.back().trigger, "manual");
  EXPECT_EQ(life("shop").waiting, std::nullopt);
  finish("shop");
  ASSERT_TRUE(is_idle());
  restart(jobs_);
  EXPECT_EQ(driver_->runs_under_way(), 0u) << "it is not run again";
}

TEST_F(JobDriverWaiting, KeepsThemInTheirOrder) {
  fill_the_place({job("a"), job("b"), job("c")});
  for (const char* each : {"c", "a", "b"}) {
    ASSERT_TRUE(act(each, JobAction::trigger));
    clock_.advance(1s);
  }
  restart(jobs_);
  ASSERT_TRUE(is_worked_on("long"));
  finish_long();
  for (const char* each : {"c", "a", "b"}) finish(each);
  ASSERT_TRUE(is_idle());
}

TEST_F(JobDriverWaiting, KeepsTheStartOfAJobThatFollowsAnother) {
  Job follower = job("follower");
  follower.after = {{JobId{"long"}, TriggerOn::completed}};
  fill_the_place({follower, job("other")});
  ASSERT_TRUE(act("other", JobAction::trigger));
  clock_.advance(1s);
  finish_long();
  ASSERT_TRUE(comes_to_wait("follower"));
  EXPECT_EQ(life("follower").waiting->trigger, "after");
  restart(jobs_);
  finish("other");
  ASSERT_TRUE(is_worked_on("follower"));
  EXPECT_EQ(office_->begun_runs.back().trigger, "after");
}

TEST_F(JobDriverWaiting, KeepsARunThatWasDueThoughFilesAreReadAgain) {
  fill_the_place({job("daily", "30 12 * * *")});
  wait_for_next_run("daily");
  ASSERT_TRUE(comes_to_wait("daily"));
  adopt(jobs_);
  EXPECT_TRUE(life("daily").waiting);
  restart(jobs_);
  ASSERT_TRUE(is_worked_on("long"));
  finish_long();
  ASSERT_TRUE(is_worked_on("daily"));
  EXPECT_EQ(office_->begun_runs.back().trigger, "time");
  finish("daily");
  ASSERT_TRUE(is_idle());
  EXPECT_EQ(runs_of("daily"), 1u);
  EXPECT_EQ(life("daily").next_run_at, parse_iso8601("2026-11-16T12:30:00Z"));
}

TEST_F(JobDriverWaiting, KeepsARunThatWaitsForTheFormerOne) {
  Job queued = job("queued", "10m");
  queued.overlap = Overlap::queue;
  adopt({queued});
  ASSERT_TRUE(is_worked_on("queued"));
  advance(15min);
  ASSERT_TRUE(comes_to_wait("queued"));
  restart({queued});
  finish("queued");
  ASSERT_TRUE(run_until([&] { return runs_of("queued") == 1; })) << "the one that waited";
}

TEST_F(JobDriverWaiting, LetsACancelTakeItBack) {
  fill_the_place({job("shop")});
  ASSERT_TRUE(act("shop", JobAction::trigger));
  const auto cancelled = act("shop", JobAction::cancel);
  ASSERT_TRUE(cancelled) << cancelled.error().message;
  EXPECT_EQ(cancelled->state, JobState::scheduled);
  EXPECT_EQ(cancelled->waiting, std::nullopt);
  EXPECT_THAT(events("shop"), Contains("run.withdrawn"));
  EXPECT_EQ(act("shop", JobAction::cancel).error().code, ErrorCode::conflict);
  restart(jobs_);
  finish("long");
  ASSERT_TRUE(is_idle());
  EXPECT_EQ(runs_of("shop"), 0u);
}

TEST_F(JobDriverWaiting, IsOverWhenTheJobIsPausedOrPutAway) {
  fill_the_place({job("paused"), job("stopped"), job("archived")});
  for (const char* each : {"paused", "stopped", "archived"})
    ASSERT_TRUE(act(each, JobAction::trigger));
  ASSERT_TRUE(act("paused", JobAction::pause));
  ASSERT_TRUE(act("stopped", JobAction::stop));
  ASSERT_TRUE(act("archived", JobAction::archive));
  for (const char* each : {"paused", "stopped", "archived"})
    EXPECT_EQ(life(each).waiting, std::nullopt) << each;
  EXPECT_EQ(driver_->waiting_runs().count, 0u);
  ASSERT_TRUE(act("paused", JobAction::resume));
  finish_long();
  ASSERT_TRUE(is_idle());
  EXPECT_EQ(runs_of("paused"), 0u);
}

TEST_F(JobDriverWaiting, IsNotOverWhenSomebodyRunsTheJobMeanwhile) {
  fill_the_place({job("shop")});
  ASSERT_TRUE(act("shop", JobAction::trigger));
  std::optional<Result<FinishedRun>> ended;
  boost::asio::co_spawn(*loop_, driver_->run_now(JobId{"shop"}, nullptr, nullptr),
                        [&](const std::exception_ptr& bug, Result<FinishedRun> result) {
                          rethrow_bug(bug);
                          ended = std::move(result);
                        });
  ASSERT_TRUE(is_worked_on("shop"));
  finish_long();  // a place is free, but the job is busy
  ASSERT_TRUE(run_until([&] { return !office_->works_on("long"); }));
  EXPECT_TRUE(life("shop").waiting);
  office_->finish("shop", RunState::completed);
  ASSERT_TRUE(run_until([&] { return ended && runs_of("shop") == 2; }));
  finish("shop");
  ASSERT_TRUE(is_idle());
  EXPECT_EQ(runs_of("shop"), 2u);
  EXPECT_THAT(events("shop"), Not(Contains("run.withdrawn")));
}

// A paused run of "shop" that is to go on, while "long" has the place.
class JobDriverWaitingToGoOn : public JobDriverWaiting {
 protected:
  void SetUp() override {
    JobDriverWaiting::SetUp();
    jobs_ = {job("shop"), job("long")};
    adopt(jobs_);
    ASSERT_TRUE(act("shop", JobAction::trigger));
    ASSERT_TRUE(is_worked_on("shop"));
    ASSERT_TRUE(act("shop", JobAction::pause));
    ASSERT_TRUE(is_idle());
    run_ = *life("shop").run;
    fill_the_place({job("shop")});
    const auto answer = act("shop", JobAction::resume);
    ASSERT_TRUE(answer) << answer.error().message;
    ASSERT_TRUE(answer->waiting);
    EXPECT_EQ(answer->state, JobState::paused);
    EXPECT_EQ(office_->under_way.size(), 1u);
  }

  RunId run_;
};

TEST_F(JobDriverWaitingToGoOn, GoesOnWhenAPlaceIsFree) {
  ASSERT_TRUE(act("shop", JobAction::resume)) << "asked for twice";
  finish_long();
  ASSERT_TRUE(is_worked_on("shop"));
  EXPECT_EQ(life("shop").run, run_);
  EXPECT_EQ(state("shop"), JobState::running);
  EXPECT_EQ(life("shop").waiting, std::nullopt);
  finish("shop");
  ASSERT_TRUE(is_idle());
  EXPECT_EQ(runs_of("shop"), 1u);
}

TEST_F(JobDriverWaitingToGoOn, OutlivesTheDaemon) {
  restart(jobs_);
  ASSERT_TRUE(is_worked_on("long"));
  EXPECT_EQ(state("shop"), JobState::paused);
  EXPECT_TRUE(life("shop").waiting);
  finish_long();
  ASSERT_TRUE(is_worked_on("shop"));
  EXPECT_EQ(life("shop").run, run_);
}

TEST_F(JobDriverWaitingToGoOn, IsTakenBackByAPause) {
  const auto paused = act("shop", JobAction::pause);
  ASSERT_TRUE(paused) << paused.error().message;
  EXPECT_EQ(paused->waiting, std::nullopt);
  finish_long();
  ASSERT_TRUE(is_idle());
  EXPECT_EQ(state("shop"), JobState::paused);
  EXPECT_EQ(life("shop").run, run_) << "it keeps its place";
}

TEST_F(JobDriverWaitingToGoOn, EndsWithACancel) {
  ASSERT_TRUE(act("shop", JobAction::cancel));
  EXPECT_EQ(life("shop").waiting, std::nullopt);
  EXPECT_EQ(driver_->waiting_runs().count, 0u);
  finish_long();
  ASSERT_TRUE(is_idle());
  EXPECT_EQ(state("shop"), JobState::scheduled);
  const auto run = drive(store_->find_run(run_));
  ASSERT_TRUE(run && *run);
  EXPECT_EQ((*run)->state, RunState::cancelled);
}

}  // namespace
}  // namespace heddle::hub
