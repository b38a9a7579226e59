#include "commands/completion_plan.hpp"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::commands {
namespace {

using namespace std::chrono_literals;
using End = CompletionPlan::End;
using TimePoint = CompletionPlan::TimePoint;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr TimePoint kStart{};

CompletionRules rules(int parallelism, int completions, bool replaces_failed = false) {
  CompletionRules out;
  out.parallelism = parallelism;
  out.completions = completions;
  out.replaces_failed = replaces_failed;
  out.backoff.jitter = 0;
  return out;
}

ProcessRecord record(int index, int attempt, ProcessState state) {
  ProcessRecord out;
  out.index = index;
  out.attempt = attempt;
  out.state = state;
  return out;
}

TEST(CompletionPlan, StartsNoMoreProcessesThanSuccessesAreMissing) {
  CompletionPlan plan(rules(3, 1));
  EXPECT_THAT(plan.step(kStart).starts, ElementsAre(ProcessAttempt{0, 1}));
  EXPECT_THAT(plan.step(kStart).starts, IsEmpty());
}

TEST(CompletionPlan, StartsTheNextWhenOneHasSucceeded) {
  CompletionPlan plan(rules(2, 3));
  EXPECT_THAT(plan.step(kStart).starts, ElementsAre(ProcessAttempt{0, 1}, ProcessAttempt{1, 1}));
  plan.ended({1, 1}, End::succeeded, kStart, 0);
  EXPECT_THAT(plan.step(kStart).starts, ElementsAre(ProcessAttempt{2, 1}));
  plan.ended({0, 1}, End::succeeded, kStart, 0);
  plan.ended({2, 1}, End::succeeded, kStart, 0);
  EXPECT_EQ(plan.step(kStart).completion, Completion::succeeded);
}

TEST(CompletionPlan, FailsWithTheFirstFailureUnlessItIsReplaced) {
  CompletionPlan plan(rules(1, 2));
  plan.step(kStart);
  plan.ended({0, 1}, End::failed, kStart, 0);
  const auto step = plan.step(kStart);
  EXPECT_EQ(step.completion, Completion::process_failed);
  EXPECT_THAT(step.starts, IsEmpty());
}

TEST(CompletionPlan, RetriesAFailedIndexAfterGrowingBackoff) {
  CompletionPlan plan(rules(1, 1, true));
  plan.step(kStart);
  plan.ended({0, 1}, End::failed, kStart, 0);
  auto waiting = plan.step(kStart);
  EXPECT_THAT(waiting.starts, IsEmpty());
  EXPECT_EQ(waiting.next_check, kStart + 1s);
  EXPECT_THAT(plan.step(kStart + 1s).starts, ElementsAre(ProcessAttempt{0, 2}));
  plan.ended({0, 2}, End::failed, kStart + 1s, 0);
  EXPECT_EQ(plan.step(kStart + 1s).next_check, kStart + 4s);
}

TEST(CompletionPlan, StartsNothingDuringBackoff) {
  CompletionPlan plan(rules(1, 10, true));
  TimePoint now = kStart;
  std::vector<TimePoint::duration> backoff;
  for (int failure = 0; failure < 3; ++failure) {
    const auto starts = plan.step(now).starts;
    ASSERT_EQ(starts.size(), 1u);
    plan.ended(starts[0], End::failed, now, 0);
    const auto waiting = plan.step(now);
    EXPECT_THAT(waiting.starts, IsEmpty());
    ASSERT_TRUE(waiting.next_check);
    backoff.push_back(*waiting.next_check - now);
    now = *waiting.next_check;
  }
  EXPECT_THAT(backoff, ElementsAre(1s, 3s, 9s));
}

TEST(CompletionPlan, GivesUpWhenMoreHaveFailedThanAllowed) {
  CompletionRules strict = rules(1, 1, true);
  strict.backoff_limit = 2;
  CompletionPlan plan(strict);
  TimePoint now = kStart;
  for (int attempt = 1; attempt <= 3; ++attempt) {
    ASSERT_THAT(plan.step(now).starts, ElementsAre(ProcessAttempt{0, attempt}));
    plan.ended({0, attempt}, End::failed, now, 0);
    now += 1h;
  }
  EXPECT_EQ(plan.step(now).completion, Completion::backoff_limit_exceeded);
  EXPECT_EQ(plan.failed(), 3);
}

TEST(CompletionPlan, DoesNotCountAStoppedProcess) {
  CompletionPlan plan(rules(1, 1));
  plan.step(kStart);
  plan.ended({0, 1}, End::stopped, kStart, 0);
  EXPECT_THAT(plan.step(kStart).starts, ElementsAre(ProcessAttempt{0, 2}));
  EXPECT_EQ(plan.failed(), 0);
}

TEST(CompletionPlan, ResumesFromRecords) {
  CompletionPlan plan(rules(4, 4, true));
  plan.restore({record(0, 1, ProcessState::succeeded), record(1, 1, ProcessState::failed),
                record(1, 2, ProcessState::running), record(2, 1, ProcessState::stopped)});
  EXPECT_EQ(plan.succeeded(), 1);
  EXPECT_EQ(plan.failed(), 2);
  EXPECT_THAT(plan.step(kStart).starts,
              ::testing::UnorderedElementsAre(ProcessAttempt{1, 3}, ProcessAttempt{2, 2},
                                              ProcessAttempt{3, 1}));
}

TEST(CompletionPlan, CountsAProcessThatWasKilledWithTheDaemonAsFailed) {
  CompletionPlan plan(rules(1, 1));
  plan.restore({record(0, 1, ProcessState::running)});
  EXPECT_EQ(plan.step(kStart).completion, Completion::process_failed);
}

// Random rules and orders of ends: the invariants hold at every step.
TEST(CompletionPlan, KeepsItsInvariantsForRandomSequences) {
  std::mt19937 random(20261116);
  const auto pick = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  for (int round = 0; round < 2000; ++round) {
    CompletionRules any = rules(pick(1, 5), pick(1, 6), pick(0, 1) == 1);
    any.backoff_limit = pick(0, 4);
    auto plan = std::make_unique<CompletionPlan>(any);
    TimePoint now = kStart;
    std::vector<ProcessAttempt> active;
    std::vector<ProcessRecord> records;
    std::map<int, int> successes;
    std::map<int, int> last_attempt;
    int failures = 0;
    std::optional<Completion> completion;
    for (int turn = 0; turn < 200 && !completion; ++turn) {
      const auto step = plan->step(now);
      for (const ProcessAttempt& each : step.starts) {
        ASSERT_EQ(each.attempt, last_attempt[each.index] + 1);
        ASSERT_EQ(successes[each.index], 0) << "an index that succeeded is run again";
        last_attempt[each.index] = each.attempt;
        active.push_back(each);
        records.push_back(record(each.index, each.attempt, ProcessState::running));
      }
      ASSERT_LE(static_cast<int>(active.size()), any.parallelism);
      ASSERT_LE(static_cast<int>(active.size()), any.completions - plan->succeeded());
      ASSERT_EQ(plan->active(), static_cast<int>(active.size()));
      completion = step.completion;
      if (completion) break;
      ASSERT_TRUE(!active.empty() || step.next_check) << "nothing will ever happen";
      if (active.empty()) {
        now = std::max(now, *step.next_check);
        continue;
      }
      const auto chosen = static_cast<std::size_t>(pick(0, static_cast<int>(active.size()) - 1));
      const ProcessAttempt process = active[chosen];
      active.erase(active.begin() + static_cast<std::ptrdiff_t>(chosen));
      const End end = std::array{End::succeeded, End::failed, End::stopped}[pick(0, 2)];
      if (end == End::succeeded) ++successes[process.index];
      if (end == End::failed) ++failures;
      for (ProcessRecord& each : records)
        if (each.index == process.index && each.attempt == process.attempt)
          each.state = end == End::succeeded ? ProcessState::succeeded
                       : end == End::failed  ? ProcessState::failed
                                             : ProcessState::stopped;
      plan->ended(process, end, now, 0.5);
      if (active.empty() && pick(0, 9) == 0) {  // another daemon resumes
        plan = std::make_unique<CompletionPlan>(any);
        plan->restore(records);
      }
      ASSERT_EQ(plan->failed(), failures);
    }
    if (completion == Completion::succeeded) {
      for (int index = 0; index < any.completions; ++index) ASSERT_EQ(successes[index], 1);
    }
    if (completion == Completion::backoff_limit_exceeded) {
      ASSERT_GT(failures, any.backoff_limit);
    }
  }
}

}  // namespace
}  // namespace heddle::commands
