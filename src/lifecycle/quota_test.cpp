#include "lifecycle/quota.hpp"

#include <gtest/gtest.h>

namespace heddle::lifecycle {
namespace {

JobLimits limits(std::optional<std::int64_t> runs, std::optional<std::int64_t> pages) {
  JobLimits made;
  made.runs_per_day = runs;
  made.pages_per_day = pages;
  return made;
}

TEST(Quota, DoesNotRestrictAJobWithoutLimits) {
  EXPECT_FALSE(has_quota(JobLimits{}));
  const DayQuota quota = quota_after(JobLimits{}, {1'000'000, 1'000'000}, {});
  EXPECT_EQ(quota.used_up, std::nullopt);
  EXPECT_EQ(quota.pages_left, std::nullopt);
}

TEST(Quota, IsUsedUpAfterTheAllowedRunsOfADay) {
  EXPECT_TRUE(has_quota(limits(2, std::nullopt)));
  EXPECT_EQ(quota_after(limits(2, std::nullopt), {1, 50}, {}).used_up, std::nullopt);
  EXPECT_EQ(quota_after(limits(2, std::nullopt), {2, 0}, {}).used_up, "limits.runs_per_day = 2");
}

TEST(Quota, CountsThePagesLeft) {
  EXPECT_TRUE(has_quota(limits(std::nullopt, 10)));
  const DayQuota some = quota_after(limits(std::nullopt, 10), {3, 7}, {});
  EXPECT_EQ(some.pages_left, 3);
  EXPECT_EQ(some.used_up, std::nullopt);
  const DayQuota none = quota_after(limits(std::nullopt, 10), {1, 12}, {});
  EXPECT_EQ(none.pages_left, 0);
  EXPECT_EQ(none.used_up, "limits.pages_per_day = 10");
}

}  // namespace
}  // namespace heddle::lifecycle
