// JobDriver: jobs that may only do so much in a day.
#include "hub/driver_for_test.hpp"

namespace heddle::hub {
namespace {

using lifecycle::JobAction;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using namespace std::chrono_literals;

class JobDriverQuotasTest : public DriverFixture {
 protected:
  static Job limited_job(std::optional<std::int64_t> runs, std::optional<std::int64_t> pages,
                         const std::string& schedule = "manual") {
    Job made = job("shop", schedule);
    made.limits.runs_per_day = runs;
    made.limits.pages_per_day = pages;
    return made;
  }

  static Job with_urls(Job made, int count) {
    made.urls.clear();
    made.is_url_list = true;
    for (int page = 0; page < count; ++page)
      made.urls.push_back("http://a/" + std::to_string(page));
    return made;
  }

  void store_pages(const RunId& run) {
    const auto batch = drive(store_->lease_tasks(run, 1000, clock_.now()));
    ASSERT_TRUE(batch);
    for (const Lease& lease : batch->leases) {
      PageResult page;
      page.lease = lease;
      page.job = JobId{"shop"};
      page.final_url = lease.task.url;
      ASSERT_TRUE(drive(store_->commit(std::move(page))));
    }
  }

  // The run that is under way does all its pages and ends.
  void run_through(RunState end = RunState::completed) {
    ASSERT_TRUE(is_worked_on("shop"));
    store_pages(*life("shop").run);
    office_->finish("shop", end);
    ASSERT_TRUE(run_until([&] { return driver_->runs_under_way() == 0; }));
  }
  void run_by_hand(RunState end = RunState::completed) {
    const auto triggered = act("shop", JobAction::trigger);
    ASSERT_TRUE(triggered) << triggered.error().message;
    run_through(end);
  }

  void expect_paused_until(std::string_view time) {
    ASSERT_TRUE(comes_to("shop", JobState::paused));
    EXPECT_EQ(life("shop").pause_reason, PauseReason::quota);
    EXPECT_EQ(life("shop").next_run_at, parse_iso8601(time));
  }
};

TEST_F(JobDriverQuotasTest, PausesAJobThatHadItsRunsOfTheDay) {
  adopt({limited_job(2, std::nullopt)});
  run_by_hand();
  EXPECT_EQ(state("shop"), JobState::scheduled);
  run_by_hand();
  expect_paused_until("2026-11-16T00:00:00Z");
  EXPECT_THAT(events("shop"), Contains("job.paused"));
  const auto refused = act("shop", JobAction::trigger);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("paused (quota)"));
}

TEST_F(JobDriverQuotasTest, GoesOnByItselfAtTheNextMidnight) {
  adopt({limited_job(1, std::nullopt, "10m")});
  run_through();
  expect_paused_until("2026-11-16T00:00:00Z");
  advance(11h + 59min);
  loop_->poll();
  EXPECT_EQ(state("shop"), JobState::paused);
  advance(1min);
  ASSERT_TRUE(comes_to("shop", JobState::scheduled));
  ASSERT_GT(*life("shop").next_run_at, clock_.now() - 1ms);
  wait_for_next_run("shop");
  run_through();
  expect_paused_until("2026-11-17T00:00:00Z");
}

TEST_F(JobDriverQuotasTest, CountsDaysAsTheJobsZoneDoes) {
  Job berlin = limited_job(1, std::nullopt);
  berlin.timezone = "Europe/Berlin";
  adopt({berlin});
  run_by_hand();
  expect_paused_until("2026-11-15T23:00:00Z");
}

TEST_F(JobDriverQuotasTest, CutsARunToThePagesThatAreLeftOfTheDay) {
  const Job ten = with_urls(limited_job(std::nullopt, 13), 10);
  adopt({ten});
  run_by_hand();
  EXPECT_EQ(state("shop"), JobState::scheduled);
  run_by_hand(RunState::limited);
  const heddle::Run& cut = office_->begun_runs.back();
  EXPECT_EQ(cut.pages.total, 3);
  ASSERT_THAT(cut.errors, SizeIs(1));
  EXPECT_EQ(cut.errors.front().kind, lifecycle::kLimited);
  EXPECT_EQ(cut.errors.front().message,
            "limits.pages_per_day = 13: the other pages of 10 were left out");
  EXPECT_EQ(life("shop").check, CheckState::limited);
  expect_paused_until("2026-11-16T00:00:00Z");
}

TEST_F(JobDriverQuotasTest, CountsOnlyPagesThatWereDone) {
  const Job ten = with_urls(limited_job(std::nullopt, 13), 10);
  adopt({ten});
  ASSERT_TRUE(act("shop", JobAction::trigger));
  ASSERT_TRUE(is_worked_on("shop"));
  ASSERT_TRUE(act("shop", JobAction::cancel));
  ASSERT_TRUE(run_until([&] { return driver_->runs_under_way() == 0; }));
  run_by_hand();
  EXPECT_EQ(office_->begun_runs.back().pages.total, 10);
}

TEST_F(JobDriverQuotasTest, KnowsWhatWasUsedUpAfterARestart) {
  const std::vector<Job> jobs{limited_job(2, std::nullopt)};
  adopt(jobs);
  run_by_hand();
  restart(jobs);
  run_by_hand();
  expect_paused_until("2026-11-16T00:00:00Z");
  restart(jobs);
  EXPECT_EQ(state("shop"), JobState::paused);
  advance(12h);
  ASSERT_TRUE(comes_to("shop", JobState::scheduled));
}

TEST_F(JobDriverQuotasTest, GoesOnAtTheStartOfADaemonThatWasDownAtMidnight) {
  const std::vector<Job> jobs{limited_job(1, std::nullopt)};
  adopt(jobs);
  run_by_hand();
  expect_paused_until("2026-11-16T00:00:00Z");
  go_down();
  clock_.advance(24h);
  come_up();
  adopt(jobs);
  begin_keeping_time();
  EXPECT_EQ(state("shop"), JobState::scheduled);
}

TEST_F(JobDriverQuotasTest, GoesOnWithAHigherLimitAndNotBefore) {
  adopt({limited_job(1, std::nullopt)});
  run_by_hand();
  expect_paused_until("2026-11-16T00:00:00Z");
  const auto refused = act("shop", JobAction::resume);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  EXPECT_THAT(refused.error().message,
              HasSubstr("limits.runs_per_day = 1 for today: it goes on by itself at 2026-11-16"));
  EXPECT_EQ(state("shop"), JobState::paused);
  adopt({limited_job(2, std::nullopt)});
  EXPECT_EQ(state("shop"), JobState::scheduled);
}

TEST_F(JobDriverQuotasTest, PausesAJobWhoseNewLimitIsUsedUpWhenItIsDue) {
  adopt({limited_job(std::nullopt, std::nullopt, "10m")});
  run_through();
  adopt({limited_job(1, std::nullopt, "10m")});
  EXPECT_EQ(state("shop"), JobState::scheduled);
  wait_for_next_run("shop");
  expect_paused_until("2026-11-16T00:00:00Z");
  EXPECT_THAT(office_->begun_runs, SizeIs(1));
}

TEST_F(JobDriverQuotasTest, RefusesATriggerOfADisabledJobThatHasNoneLeft) {
  Job off = limited_job(1, std::nullopt);
  off.enabled = false;
  adopt({off});
  run_by_hand();
  EXPECT_EQ(state("shop"), JobState::completed);
  const auto refused = act("shop", JobAction::trigger);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("used up"));
  EXPECT_EQ(state("shop"), JobState::completed);
}

TEST_F(JobDriverQuotasTest, DoesNotTryAFailedRunAgainOnTheSameDay) {
  Job failing = limited_job(1, std::nullopt);
  failing.retry.runs = 3;
  adopt({failing});
  run_by_hand(RunState::failed);
  expect_paused_until("2026-11-16T00:00:00Z");
  EXPECT_EQ(life("shop").attempt, 0);
}

TEST_F(JobDriverQuotasTest, StaysPausedOnceAPersonPausedIt) {
  const std::vector<Job> jobs{limited_job(1, std::nullopt, "10m")};
  adopt(jobs);
  run_through();
  expect_paused_until("2026-11-16T00:00:00Z");
  const auto paused = act("shop", JobAction::pause);
  ASSERT_TRUE(paused) << paused.error().message;
  EXPECT_EQ(paused->pause_reason, PauseReason::user);
  EXPECT_EQ(paused->next_run_at, std::nullopt);
  advance(24h);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(drive(store_->remember_job({{"z"}, "z", "web", ""})));
  EXPECT_EQ(state("shop"), JobState::paused) << "midnight is over";
  restart(jobs);
  EXPECT_EQ(life("shop").pause_reason, PauseReason::user);
  EXPECT_THAT(office_->begun_runs, SizeIs(0));
  ASSERT_TRUE(act("shop", JobAction::resume));
  EXPECT_EQ(state("shop"), JobState::scheduled);
}

TEST_F(JobDriverQuotasTest, StopsAJobThatWaitsForItsDay) {
  adopt({limited_job(1, std::nullopt)});
  run_by_hand();
  expect_paused_until("2026-11-16T00:00:00Z");
  ASSERT_TRUE(act("shop", JobAction::stop));
  advance(24h);
  loop_->poll();
  EXPECT_EQ(state("shop"), JobState::stopped);
}

}  // namespace
}  // namespace heddle::hub
