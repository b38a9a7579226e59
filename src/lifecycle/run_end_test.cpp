#include "lifecycle/run_end.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::lifecycle {
namespace {

PageCounts pages(std::int64_t done, std::int64_t failed, std::int64_t skipped = 0) {
  return {.total = done + failed + skipped, .done = done, .failed = failed, .skipped = skipped};
}

TEST(RunEndState, IsCompletedWithoutFailures) {
  EXPECT_EQ(run_end_state({.pages = pages(3, 0)}), RunState::completed);
}

TEST(RunEndState, IsFailedWhenTheOnlyPageFails) {
  EXPECT_EQ(run_end_state({.pages = pages(0, 1), .max_error_rate = 1.0}), RunState::failed);
}

TEST(RunEndState, IsCompletedWhenHalfOfThePagesFail) {
  EXPECT_EQ(run_end_state({.pages = pages(5, 5)}), RunState::completed);
}

TEST(RunEndState, IsFailedWhenMoreThanHalfOfThePagesFail) {
  EXPECT_EQ(run_end_state({.pages = pages(4, 5)}), RunState::failed);
}

TEST(RunEndState, FollowsTheErrorRateOfTheJob) {
  EXPECT_EQ(run_end_state({.pages = pages(9, 1), .max_error_rate = 0.05}), RunState::failed);
}

TEST(RunEndState, IsCompletedWhenAllPagesWereSkipped) {
  EXPECT_EQ(run_end_state({.pages = pages(0, 0, 4)}), RunState::completed);
}

TEST(RunEndState, IsLimitedWhenALimitWasReached) {
  EXPECT_EQ(run_end_state({.pages = pages(9, 1), .reached_limit = true}), RunState::limited);
}

TEST(RunEndState, IsCancelledThoughPagesFailed) {
  EXPECT_EQ(run_end_state({.pages = pages(0, 9), .was_cancelled = true}), RunState::cancelled);
}

TEST(RunEndState, IsFailedWhenTheEngineFailed) {
  EXPECT_EQ(run_end_state({.pages = pages(9, 0), .engine_failed = true}), RunState::failed);
}

class CheckStateAfterRuns : public ::testing::Test {
 protected:
  // Ends a run whose pages have these problems and returns the job's check state.
  CheckState run(RunState state, std::int64_t pages_done, std::vector<ErrorKind> problems) {
    heddle::Run ended;
    ended.state = state;
    ended.pages = pages(pages_done, 0);
    for (const ErrorKind kind : problems) {
      ended.errors.push_back({kind, "what is wrong", "u"});
      const bool is_suspicious = std::ranges::count(kSuspiciousKinds, kind) > 0;
      ended.suspicious_pages += is_suspicious ? 1 : 0;
    }
    note_run_end(job, ended, false, change);
    return change.now.check;
  }
  // Ends a failed run whose pages failed with these problems.
  CheckState fail_with(std::vector<ErrorKind> problems) {
    heddle::Run ended;
    ended.state = RunState::failed;
    ended.pages = pages(0, static_cast<std::int64_t>(problems.size()));
    for (const ErrorKind kind : problems)
      ended.errors.push_back({kind, "it is " + std::string(to_text(kind)), "u"});
    note_run_end(job, ended, false, change);
    return change.now.check;
  }
  CheckState fail() { return run(RunState::failed, 0, {ErrorKind::connect}); }
  // A service of this job is ready; returns the check state.
  CheckState get_ready() {
    heddle::Run current;
    current.id = RunId{"r1"};
    change.now.run = current.id;
    note_service_ready(job, current, WallTime{}, change);
    return change.now.check;
  }
  [[nodiscard]] std::vector<std::string> events() const {
    std::vector<std::string> kinds;
    for (const JobEvent& event : change.events) kinds.push_back(event.kind);
    return kinds;
  }
  CheckState twice(ErrorKind kind) {
    change = {};
    EXPECT_EQ(run(RunState::completed, 1, {kind}), CheckState::pending);
    return run(RunState::completed, 1, {kind});
  }

  Job job;
  JobChange change;
};

TEST_F(CheckStateAfterRuns, NamesAProblemOfThePageAfterTheSecondTimeInARow) {
  EXPECT_EQ(twice(ErrorKind::no_items), CheckState::selector_broken);
  EXPECT_EQ(twice(ErrorKind::not_html), CheckState::selector_broken);
  EXPECT_EQ(twice(ErrorKind::login_required), CheckState::login_required);
  EXPECT_EQ(twice(ErrorKind::script), CheckState::failing);
  ASSERT_EQ(change.events.size(), 1u);
  EXPECT_EQ(change.events[0].kind, "check.failing");
}

TEST_F(CheckStateAfterRuns, HasAStateForEverySuspiciousKind) {
  for (const ErrorKind kind : kSuspiciousKinds)
    EXPECT_NE(twice(kind), CheckState::pending) << to_text(kind);
  EXPECT_EQ(twice(ErrorKind::bot_wall), CheckState::blocked);
  EXPECT_EQ(twice(ErrorKind::app_shell), CheckState::selector_broken);
}

TEST_F(CheckStateAfterRuns, IgnoresWhatIsOnlyANotice) {
  for (const ErrorKind kind : {ErrorKind::read_as_html, ErrorKind::shared_key}) {
    change = {};
    EXPECT_EQ(run(RunState::completed, 1, {kind}), CheckState::ok);
    EXPECT_EQ(run(RunState::completed, 1, {kind}), CheckState::ok);
  }
}

TEST_F(CheckStateAfterRuns, SaysThatASelectorOrFieldHasNeverMatched) {
  EXPECT_EQ(twice(ErrorKind::nothing_found), CheckState::selector_broken);
  EXPECT_EQ(twice(ErrorKind::empty_field), CheckState::selector_broken);
  EXPECT_THAT(events(), ::testing::ElementsAre("check.selector_broken"));
  EXPECT_EQ(run(RunState::completed, 1, {}), CheckState::ok);
  EXPECT_EQ(change.now.failed_runs, 0);
}

TEST_F(CheckStateAfterRuns, StaysOkWhenOnePageHasEverything) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(run(RunState::completed, 3, {ErrorKind::nothing_found, ErrorKind::empty_field}),
              CheckState::ok);
  }
}

TEST_F(CheckStateAfterRuns, StaysOkWhenTheJobExpectsEmptyPages) {
  job.expect.min_items = 0;
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(run(RunState::completed, 1, {ErrorKind::nothing_found}), CheckState::ok);
  job.expect.min_items.reset();
  job.watch = WatchKind::feed;
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(run(RunState::completed, 1, {ErrorKind::nothing_found}), CheckState::ok);
}

TEST_F(CheckStateAfterRuns, JudgesLongRunsByTheirItems) {
  heddle::Run ended;
  ended.state = RunState::completed;
  ended.pages = pages(10'000, 0);
  ended.errors.assign(kKeptRunErrors, {ErrorKind::nothing_found, "what is wrong", "u"});
  ended.items.seen = 3;
  for (int i = 0; i < 3; ++i) note_run_end(job, ended, false, change);
  EXPECT_EQ(change.now.check, CheckState::ok);
  ended.items.seen = 0;
  for (int i = 0; i < 2; ++i) note_run_end(job, ended, false, change);
  EXPECT_EQ(change.now.check, CheckState::selector_broken);
}

TEST_F(CheckStateAfterRuns, CountsAllSuspiciousPagesOfALongRun) {
  heddle::Run ended;
  ended.state = RunState::completed;
  ended.pages = pages(10'000, 0);
  ended.errors.assign(kKeptRunErrors, {ErrorKind::no_items, "what is wrong", "u"});
  ended.suspicious_pages = 150;
  for (int i = 0; i < 3; ++i) note_run_end(job, ended, false, change);
  EXPECT_EQ(change.now.check, CheckState::ok);
  ended.suspicious_pages = 6000;
  for (int i = 0; i < 2; ++i) note_run_end(job, ended, false, change);
  EXPECT_EQ(change.now.check, CheckState::selector_broken);
}

TEST_F(CheckStateAfterRuns, StaysOkAfterAProblemThatDoesNotLast) {
  EXPECT_EQ(run(RunState::completed, 1, {}), CheckState::ok);
  EXPECT_EQ(run(RunState::completed, 1, {ErrorKind::no_items}), CheckState::ok);
  EXPECT_EQ(run(RunState::completed, 1, {}), CheckState::ok);
  EXPECT_EQ(run(RunState::completed, 1, {ErrorKind::no_items}), CheckState::ok);
}

TEST_F(CheckStateAfterRuns, IsOkAgainAfterARunWithoutProblems) {
  EXPECT_EQ(twice(ErrorKind::no_items), CheckState::selector_broken);
  EXPECT_EQ(run(RunState::completed, 1, {}), CheckState::ok);
  EXPECT_EQ(change.now.failed_runs, 0);
}

TEST_F(CheckStateAfterRuns, IgnoresProblemsOfFewPages) {
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(run(RunState::completed, 10, {ErrorKind::no_items, ErrorKind::script}),
              CheckState::ok);
}

TEST_F(CheckStateAfterRuns, IsFailingAfterAFirstRunThatFailedAndTellsItWhenItLasts) {
  EXPECT_EQ(fail(), CheckState::failing);
  EXPECT_THAT(events(), ::testing::IsEmpty());
  EXPECT_EQ(fail(), CheckState::failing);
  EXPECT_THAT(events(), ::testing::ElementsAre("check.failing"));
  EXPECT_EQ(fail(), CheckState::failing);
  EXPECT_EQ(run(RunState::completed, 1, {}), CheckState::ok);
  EXPECT_THAT(events(), ::testing::ElementsAre("check.failing", "check.ok"));
}

TEST_F(CheckStateAfterRuns, DoesNotTellARecoveryFromWhatWasNotTold) {
  EXPECT_EQ(fail(), CheckState::failing);
  EXPECT_EQ(run(RunState::completed, 1, {}), CheckState::ok);
  EXPECT_THAT(events(), ::testing::IsEmpty());
}

TEST_F(CheckStateAfterRuns, StaysOkAfterOneFailedRun) {
  EXPECT_EQ(run(RunState::completed, 1, {}), CheckState::ok);
  EXPECT_EQ(fail(), CheckState::ok);
}

TEST_F(CheckStateAfterRuns, TellsTheFirstFailureWhenTheJobSaysSo) {
  job.alert_after = 1;
  EXPECT_EQ(fail(), CheckState::failing);
  EXPECT_THAT(events(), ::testing::ElementsAre("check.failing"));
}

TEST_F(CheckStateAfterRuns, IsOkWhenAServiceIsReady) {
  EXPECT_EQ(get_ready(), CheckState::ok);
  EXPECT_THAT(events(), ::testing::IsEmpty());
  change.now.check = CheckState::failing;
  change.now.failed_runs = 2;
  EXPECT_EQ(get_ready(), CheckState::ok);
  EXPECT_THAT(events(), ::testing::ElementsAre("check.ok"));
}

TEST_F(CheckStateAfterRuns, IgnoresAReadyServiceOfAnotherRun) {
  heddle::Run former;
  former.id = RunId{"r0"};
  change.now.run = RunId{"r1"};
  note_service_ready(job, former, WallTime{}, change);
  EXPECT_EQ(change.now.check, CheckState::pending);
}

TEST_F(CheckStateAfterRuns, NamesWhatTheSiteReturnedInPlaceOfItsPages) {
  for (const auto& [kind, state] : {std::pair{ErrorKind::bot_wall, CheckState::blocked},
                                    {ErrorKind::login_required, CheckState::login_required},
                                    {ErrorKind::error_page, CheckState::failing},
                                    {ErrorKind::expectation, CheckState::failing}}) {
    change = {};
    EXPECT_EQ(run(RunState::completed, 1, {}), CheckState::ok);
    EXPECT_EQ(fail_with({kind}), CheckState::ok) << "it may not last";
    EXPECT_THAT(events(), ::testing::IsEmpty());
    EXPECT_EQ(fail_with({kind}), state);
    EXPECT_EQ(fail_with({kind}), state);
    EXPECT_THAT(events(), ::testing::ElementsAre("check." + std::string(to_text(state))));
    EXPECT_EQ(run(RunState::completed, 1, {}), CheckState::ok);
    EXPECT_EQ(events().back(), "check.ok");
  }
}

TEST_F(CheckStateAfterRuns, IsBlockedAfterAFirstRunThatFailedAndTellsItWhenItLasts) {
  EXPECT_EQ(fail_with({ErrorKind::bot_wall}), CheckState::blocked);
  EXPECT_THAT(events(), ::testing::IsEmpty());
  EXPECT_EQ(fail_with({ErrorKind::bot_wall}), CheckState::blocked);
  EXPECT_THAT(events(), ::testing::ElementsAre("check.blocked"));
}

TEST_F(CheckStateAfterRuns, FollowsWhatMostPagesFailedWith) {
  using enum ErrorKind;
  EXPECT_EQ(fail_with({bot_wall, connect, timeout}), CheckState::failing);
  EXPECT_EQ(fail_with({connect, bot_wall, bot_wall}), CheckState::blocked);
  ASSERT_EQ(change.events.size(), 1U);
  EXPECT_EQ(change.events[0].data.back().second, "it is bot_wall") << "the reason of the state";
}

TEST_F(CheckStateAfterRuns, IsAWarningAtOnceAndKeepsNoCount) {
  job.webhook.enabled = true;
  EXPECT_EQ(run(RunState::completed, 5, {ErrorKind::empty_field, ErrorKind::expectation}),
            CheckState::warning);
  EXPECT_THAT(events(), ::testing::ElementsAre("check.warning"));
  ASSERT_FALSE(change.deliveries.empty());
  EXPECT_THAT(change.deliveries[0].payload, ::testing::HasSubstr("warning: what is wrong"));
  EXPECT_EQ(run(RunState::completed, 5, {ErrorKind::expectation}), CheckState::warning);
  EXPECT_EQ(change.events.size(), 1U);
  EXPECT_EQ(change.now.failed_runs, 0) << "the data was stored";
  EXPECT_EQ(fail(), CheckState::warning) << "one failure is not told";
  EXPECT_EQ(run(RunState::completed, 5, {}), CheckState::ok);
  EXPECT_THAT(events(), ::testing::ElementsAre("check.warning", "check.ok"));
}

TEST_F(CheckStateAfterRuns, IsNoWarningWhenTheExpectationFailedAPage) {
  heddle::Run ended;
  ended.state = RunState::completed;
  ended.pages = pages(9, 1);
  ended.errors = {{ErrorKind::expectation, "no text", "u"}};
  note_run_end(job, ended, false, change);
  EXPECT_EQ(change.now.check, CheckState::ok);
}

TEST_F(CheckStateAfterRuns, PrefersADoubtThatLastsToAWarning) {
  job.alert_after = 1;
  EXPECT_EQ(run(RunState::completed, 2,
                {ErrorKind::no_items, ErrorKind::no_items, ErrorKind::expectation}),
            CheckState::selector_broken);
}

}  // namespace
}  // namespace heddle::lifecycle
