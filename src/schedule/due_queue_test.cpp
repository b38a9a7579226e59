#include "schedule/due_queue.hpp"

#include <algorithm>
#include <map>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::schedule {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

WallTime at(int ms) {
  return WallTime(std::chrono::milliseconds(ms));
}

std::vector<JobNumber> all_due(DueQueue& queue, WallTime now) {
  std::vector<JobNumber> jobs;
  while (const auto due = queue.pop_due(now)) jobs.push_back(due->job);
  return jobs;
}

TEST(DueQueue, PopsJobsInTheOrderOfTheirDueTimes) {
  DueQueue queue;
  queue.set(0, at(30));
  queue.set(1, at(10));
  queue.set(2, at(20));
  EXPECT_EQ(queue.next_due(), at(10));
  EXPECT_THAT(all_due(queue, at(100)), ElementsAre(1, 2, 0));
  EXPECT_EQ(queue.next_due(), std::nullopt);
}

TEST(DueQueue, KeepsJobsThatAreNotYetDue) {
  DueQueue queue;
  queue.set(4, at(10));
  EXPECT_EQ(queue.pop_due(at(9)), std::nullopt);
  EXPECT_EQ(queue.pop_due(at(10)), (DueJob{4, at(10)}));
  EXPECT_EQ(queue.size(), 0u);
}

TEST(DueQueue, PopsTiesInTheOrderTheyWereSet) {
  DueQueue queue;
  for (const JobNumber job : {7u, 3u, 9u, 1u, 5u, 8u}) queue.set(job, at(10));
  queue.set(9, at(10));  // set again: last
  EXPECT_THAT(all_due(queue, at(10)), ElementsAre(7, 3, 1, 5, 8, 9));
}

TEST(DueQueue, MovesAJobThatIsSetAgain) {
  DueQueue queue;
  queue.set(0, at(10));
  queue.set(1, at(20));
  queue.set(0, at(30));
  EXPECT_EQ(queue.size(), 2u);
  EXPECT_EQ(queue.due_of(0), at(30));
  EXPECT_THAT(all_due(queue, at(100)), ElementsAre(1, 0));
}

TEST(DueQueue, DropsARemovedJob) {
  DueQueue queue;
  queue.set(0, at(10));
  EXPECT_TRUE(queue.remove(0));
  EXPECT_FALSE(queue.remove(0));
  EXPECT_FALSE(queue.remove(99));
  EXPECT_EQ(queue.due_of(0), std::nullopt);
  EXPECT_EQ(queue.pop_due(at(100)), std::nullopt);
}

TEST(DueQueue, RebasesDueTimesAfterAClockJump) {
  DueQueue queue;
  for (JobNumber job = 0; job < 10; ++job) queue.set(job, at(100 + static_cast<int>(job)));
  queue.rebase([](const DueJob& job) -> std::optional<WallTime> {
    if (job.job % 2 == 1) return std::nullopt;
    return at(20 - static_cast<int>(job.job));
  });
  EXPECT_EQ(queue.size(), 5u);
  EXPECT_EQ(queue.due_of(1), std::nullopt);
  EXPECT_EQ(queue.due_of(2), at(18));
  EXPECT_THAT(all_due(queue, at(100)), ElementsAre(8, 6, 4, 2, 0));
}

TEST(DueQueue, KeepsTheOrderOfTiesWhenRebased) {
  DueQueue queue;
  for (const JobNumber job : {5u, 2u, 8u, 1u}) queue.set(job, at(10 + static_cast<int>(job)));
  queue.rebase([](const DueJob&) { return at(1); });
  EXPECT_THAT(all_due(queue, at(1)), ElementsAre(5, 2, 8, 1));
}

TEST(DueQueue, AgreesWithASortedListAfterManyChanges) {
  DueQueue queue;
  std::map<JobNumber, std::pair<WallTime, int>> expected;  // due and when it was set
  std::mt19937 random(11);
  const auto earliest = [&] {
    return std::min_element(expected.begin(), expected.end(),
                            [](const auto& a, const auto& b) { return a.second < b.second; });
  };
  for (int step = 0; step < 20'000; ++step) {
    const JobNumber job = random() % 300;
    const WallTime time = at(static_cast<int>(random() % 500));
    switch (random() % 4) {
      case 0:
        EXPECT_EQ(queue.remove(job), expected.erase(job) == 1);
        break;
      case 1: {
        const auto due = queue.pop_due(time);
        const bool has_due = !expected.empty() && earliest()->second.first <= time;
        ASSERT_EQ(due.has_value(), has_due);
        if (!has_due) break;
        ASSERT_EQ(due->job, earliest()->first);
        expected.erase(due->job);
        break;
      }
      default:
        queue.set(job, time);
        expected[job] = {time, step};
    }
    ASSERT_EQ(queue.size(), expected.size());
  }
}

TEST(DueQueue, HoldsAnIdleJobInAFewBytes) {
  DueQueue queue;
  constexpr JobNumber kJobs = 100'000;
  queue.reserve(kJobs);
  for (JobNumber job = 0; job < kJobs; ++job) queue.set(job, at(static_cast<int>(job)));
  EXPECT_LE(queue.bytes_held() / kJobs, 32u);
}

}  // namespace
}  // namespace heddle::schedule
