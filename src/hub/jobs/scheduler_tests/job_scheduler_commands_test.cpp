// JobScheduler: start times of command jobs across daylight saving changes, never two runs at once.
#include "hub/jobs/scheduler_tests/job_scheduler_for_test.hpp"

namespace heddle::hub {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

class CommandSchedule : public JobSchedulerFixture {
 protected:
  void configure_at(const std::string& now) {
    clock_.advance(*parse_iso8601(now) - clock_.now());
    Job nightly = job("nightly", "30 2 * * *");
    nightly.kind = JobKind::command;
    nightly.timezone = "Europe/Berlin";
    nightly.overlap = OverlapPolicy::skip;
    configure({nightly});
  }
  // Advances to the next start and returns it.
  std::string next_start() {
    wait_for_next_run("nightly");
    EXPECT_TRUE(run_until([&] { return executor_->is_executing("nightly"); }));
    return to_iso8601(clock_.now());
  }
  void finish() {
    executor_->finish("nightly", RunState::completed);
    EXPECT_TRUE(reaches("nightly", JobState::scheduled));
    EXPECT_TRUE(run_until([&] { return scheduler_->runs_under_way() == 0; }));
  }
  std::vector<std::string> starts(int count) {
    std::vector<std::string> all;
    for (int i = 0; i < count; ++i) {
      all.push_back(next_start());
      finish();
    }
    return all;
  }
};

TEST_F(CommandSchedule, RunsRightAfterATimeThatTheClockSkips) {
  configure_at("2027-03-26T12:00:00Z");
  EXPECT_THAT(starts(3), ElementsAre("2027-03-27T01:30:00.000Z", "2027-03-28T01:00:00.000Z",
                                     "2027-03-29T00:30:00.000Z"));
}

TEST_F(CommandSchedule, RunsOnceAtATimeThatTheClockHasTwice) {
  configure_at("2027-10-29T12:00:00Z");
  EXPECT_THAT(starts(3), ElementsAre("2027-10-30T00:30:00.000Z", "2027-10-31T00:30:00.000Z",
                                     "2027-11-01T01:30:00.000Z"));
}

TEST_F(CommandSchedule, SkipsATickWhileThePreviousRunIsActive) {
  configure_at("2027-03-26T12:00:00Z");
  EXPECT_EQ(next_start(), "2027-03-27T01:30:00.000Z");
  advance(std::chrono::hours(24));  // past the tick on the day of the change
  loop_->restart();
  loop_->run_for(std::chrono::milliseconds(20));
  EXPECT_THAT(begun_runs(), SizeIs(1));
  finish();
  EXPECT_EQ(next_start(), "2027-03-29T00:30:00.000Z");
  EXPECT_THAT(begun_runs(), SizeIs(2));
  finish();
}

}  // namespace
}  // namespace heddle::hub
