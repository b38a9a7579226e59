// JobScheduler: daily limits.
#include "hub/jobs/scheduler_tests/job_scheduler_for_test.hpp"

namespace heddle::hub {
namespace {

using lifecycle::JobAction;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using namespace std::chrono_literals;

class JobSchedulerQuotasTest : public JobSchedulerFixture {
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

  // The active run completes all its pages and ends.
  void run_through(RunState end = RunState::completed) {
    ASSERT_TRUE(wait_until_executing("shop"));
    store_pages(*status("shop").run);
    executor_->finish("shop", end);
    ASSERT_TRUE(run_until([&] { return scheduler_->runs_under_way() == 0; }));
  }
  void run_by_hand(RunState end = RunState::completed) {
    const auto triggered = act("shop", JobAction::trigger);
    ASSERT_TRUE(triggered) << triggered.error().message;
    run_through(end);
  }

  void expect_paused_until(std::string_view time) {
    ASSERT_TRUE(reaches("shop", JobState::paused));
    EXPECT_EQ(status("shop").pause_reason, PauseReason::quota);
    EXPECT_EQ(status("shop").next_run_at, parse_iso8601(time));
  }
};

TEST_F(JobSchedulerQuotasTest, PausesAJobAfterItsRunsOfTheDay) {
  configure({limited_job(2, std::nullopt)});
  run_by_hand();
  EXPECT_EQ(state("shop"), JobState::scheduled);
  run_by_hand();
  expect_paused_until("2026-11-16T00:00:00Z");
  EXPECT_THAT(events("shop"), Contains("job.paused"));
  const auto refused = act("shop", JobAction::trigger);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("paused (quota)"));
}

TEST_F(JobSchedulerQuotasTest, ResumesAtTheNextMidnight) {
  configure({limited_job(1, std::nullopt, "10m")});
  run_through();
  expect_paused_until("2026-11-16T00:00:00Z");
  advance(11h + 59min);
  loop_->poll();
  EXPECT_EQ(state("shop"), JobState::paused);
  advance(1min);
  ASSERT_TRUE(reaches("shop", JobState::scheduled));
  ASSERT_GT(*status("shop").next_run_at, clock_.now() - 1ms);
  wait_for_next_run("shop");
  run_through();
  expect_paused_until("2026-11-17T00:00:00Z");
}

TEST_F(JobSchedulerQuotasTest, CountsDaysInTheTimeZoneOfTheJob) {
  Job berlin = limited_job(1, std::nullopt);
  berlin.timezone = "Europe/Berlin";
  configure({berlin});
  run_by_hand();
  expect_paused_until("2026-11-15T23:00:00Z");
}

TEST_F(JobSchedulerQuotasTest, LimitsARunToThePagesLeftOfTheDay) {
  const Job ten = with_urls(limited_job(std::nullopt, 13), 10);
  configure({ten});
  run_by_hand();
  EXPECT_EQ(state("shop"), JobState::scheduled);
  run_by_hand(RunState::limited);
  const heddle::Run cut = begun_runs().back();
  EXPECT_EQ(cut.pages.total, 3);
  ASSERT_THAT(cut.errors, SizeIs(1));
  EXPECT_EQ(cut.errors.front().kind, ErrorKind::limited);
  EXPECT_EQ(cut.errors.front().message,
            "limits.pages_per_day = 13: the other pages of 10 were not fetched");
  EXPECT_EQ(status("shop").check, CheckState::limited);
  expect_paused_until("2026-11-16T00:00:00Z");
}

TEST_F(JobSchedulerQuotasTest, CountsOnlyPagesThatWereDone) {
  const Job ten = with_urls(limited_job(std::nullopt, 13), 10);
  configure({ten});
  ASSERT_TRUE(act("shop", JobAction::trigger));
  ASSERT_TRUE(wait_until_executing("shop"));
  ASSERT_TRUE(act("shop", JobAction::cancel));
  ASSERT_TRUE(run_until([&] { return scheduler_->runs_under_way() == 0; }));
  run_by_hand();
  EXPECT_EQ(begun_runs().back().pages.total, 10);
}

TEST_F(JobSchedulerQuotasTest, RemembersUsageAfterARestart) {
  const std::vector<Job> jobs{limited_job(2, std::nullopt)};
  configure(jobs);
  run_by_hand();
  restart(jobs);
  run_by_hand();
  expect_paused_until("2026-11-16T00:00:00Z");
  restart(jobs);
  EXPECT_EQ(state("shop"), JobState::paused);
  advance(12h);
  ASSERT_TRUE(reaches("shop", JobState::scheduled));
}

TEST_F(JobSchedulerQuotasTest, ResumesAtTheStartOfADaemonThatWasDownAtMidnight) {
  const std::vector<Job> jobs{limited_job(1, std::nullopt)};
  configure(jobs);
  run_by_hand();
  expect_paused_until("2026-11-16T00:00:00Z");
  stop_daemon();
  clock_.advance(24h);
  start_daemon();
  configure(jobs);
  start_schedule();
  EXPECT_EQ(state("shop"), JobState::scheduled);
}

TEST_F(JobSchedulerQuotasTest, ResumesOnlyWithAHigherLimit) {
  configure({limited_job(1, std::nullopt)});
  run_by_hand();
  expect_paused_until("2026-11-16T00:00:00Z");
  const auto refused = act("shop", JobAction::resume);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  EXPECT_THAT(refused.error().message,
              HasSubstr("limits.runs_per_day = 1 for today: it continues at 2026-11-16"));
  EXPECT_EQ(state("shop"), JobState::paused);
  configure({limited_job(2, std::nullopt)});
  EXPECT_EQ(state("shop"), JobState::scheduled);
}

TEST_F(JobSchedulerQuotasTest, PausesAJobWhoseNewLimitIsUsedUpWhenItIsDue) {
  configure({limited_job(std::nullopt, std::nullopt, "10m")});
  run_through();
  configure({limited_job(1, std::nullopt, "10m")});
  EXPECT_EQ(state("shop"), JobState::scheduled);
  wait_for_next_run("shop");
  expect_paused_until("2026-11-16T00:00:00Z");
  EXPECT_THAT(begun_runs(), SizeIs(1));
}

TEST_F(JobSchedulerQuotasTest, RefusesATriggerOfADisabledJobWithoutQuota) {
  Job off = limited_job(1, std::nullopt);
  off.enabled = false;
  configure({off});
  run_by_hand();
  EXPECT_EQ(state("shop"), JobState::completed);
  const auto refused = act("shop", JobAction::trigger);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("has reached"));
  EXPECT_EQ(state("shop"), JobState::completed);
}

TEST_F(JobSchedulerQuotasTest, DoesNotRetryAFailedRunOnTheSameDay) {
  Job failing = limited_job(1, std::nullopt);
  failing.retry.runs = 3;
  configure({failing});
  run_by_hand(RunState::failed);
  expect_paused_until("2026-11-16T00:00:00Z");
  EXPECT_EQ(status("shop").attempt, 0);
}

TEST_F(JobSchedulerQuotasTest, StaysPausedAfterAUserPause) {
  const std::vector<Job> jobs{limited_job(1, std::nullopt, "10m")};
  configure(jobs);
  run_through();
  expect_paused_until("2026-11-16T00:00:00Z");
  const auto paused = act("shop", JobAction::pause);
  ASSERT_TRUE(paused) << paused.error().message;
  EXPECT_EQ(paused->pause_reason, PauseReason::user);
  EXPECT_EQ(paused->next_run_at, std::nullopt);
  advance(24h);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(drive(store_->put_job_name({{"z"}, "z", "web", ""})));
  EXPECT_EQ(state("shop"), JobState::paused) << "midnight is over";
  restart(jobs);
  EXPECT_EQ(status("shop").pause_reason, PauseReason::user);
  EXPECT_THAT(begun_runs(), SizeIs(0));
  ASSERT_TRUE(act("shop", JobAction::resume));
  EXPECT_EQ(state("shop"), JobState::scheduled);
}

TEST_F(JobSchedulerQuotasTest, StopsAJobPausedForItsQuota) {
  configure({limited_job(1, std::nullopt)});
  run_by_hand();
  expect_paused_until("2026-11-16T00:00:00Z");
  ASSERT_TRUE(act("shop", JobAction::stop));
  advance(24h);
  loop_->poll();
  EXPECT_EQ(state("shop"), JobState::stopped);
}

}  // namespace
}  // namespace heddle::hub
