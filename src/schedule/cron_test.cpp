#include "schedule/cron.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::schedule {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::uint64_t bits(std::initializer_list<int> values) {
  std::uint64_t out = 0;
  for (const int value : values) out |= std::uint64_t{1} << value;
  return out;
}

CronExpression parsed(std::string_view text) {
  auto cron = parse_cron(text);
  EXPECT_TRUE(cron) << text << ": " << cron.error().message;
  return cron ? *cron : CronExpression{};
}

std::string complaint(std::string_view text) {
  auto cron = parse_cron(text);
  return cron ? "none" : cron.error().message;
}

TEST(Cron, ReadsValuesListsRangesAndSteps) {
  const auto cron = parsed("5,10 8-10 */10 1-12/3 *");
  EXPECT_EQ(cron.minutes, bits({5, 10}));
  EXPECT_EQ(cron.hours, bits({8, 9, 10}));
  EXPECT_EQ(cron.days, bits({1, 11, 21, 31}));
  EXPECT_EQ(cron.months, bits({1, 4, 7, 10}));
  EXPECT_EQ(cron.seconds, bits({0}));
  EXPECT_TRUE(cron.any_weekday);
  EXPECT_FALSE(cron.any_day);
}

TEST(Cron, ExtendsAStepAfterASingleValueToTheEnd) {
  EXPECT_EQ(parsed("50/5 * * * *").minutes, bits({50, 55}));
}

TEST(Cron, ReadsNamesInAnyCase) {
  const auto cron = parsed("0 8 * JAN,dec Mon-Fri");
  EXPECT_EQ(cron.months, bits({1, 12}));
  EXPECT_EQ(cron.weekdays, bits({1, 2, 3, 4, 5}));
}

TEST(Cron, AcceptsSundayAsZeroAndSeven) {
  EXPECT_EQ(parsed("0 0 * * 7").weekdays, bits({0}));
  EXPECT_EQ(parsed("0 0 * * 5-7").weekdays, bits({5, 6, 0}));
  EXPECT_EQ(parsed("0 0 * * fri-mon").weekdays, bits({5, 6, 0, 1}));
  EXPECT_EQ(parsed("0 0 * * *").weekdays, bits({0, 1, 2, 3, 4, 5, 6}));
}

TEST(Cron, ReadsLastAndCountedDays) {
  const auto cron = parsed("0 0 L * 5L,Mon#2");
  EXPECT_TRUE(cron.last_day);
  EXPECT_EQ(cron.days, 0u);
  EXPECT_EQ(cron.last_weekdays, bits({5}));
  EXPECT_EQ(cron.weekdays, 0u);
  EXPECT_THAT(cron.nth_weekdays, ElementsAre(std::pair(1, 2)));
  EXPECT_EQ(parsed("0 0 * * L").weekdays, bits({6}));
}

TEST(Cron, AcceptsSixFieldsWithTheSecondFirst) {
  const auto cron = parsed("*/30 1 2 3 4 ?");
  EXPECT_EQ(cron.seconds, bits({0, 30}));
  EXPECT_EQ(cron.minutes, bits({1}));
  EXPECT_TRUE(cron.any_weekday);
}

TEST(Cron, ExpandsTheMacros) {
  for (const char* word : {"@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight",
                           "@hourly", " @Hourly "})
    EXPECT_EQ(complaint(word), "none") << word;
  EXPECT_EQ(complaint("@hourli"), "there is no \"@hourli\", did you mean \"@hourly\"?");
}

TEST(Cron, NamesTheInvalidField) {
  EXPECT_THAT(complaint("60 * * * *"), HasSubstr("minute: found \"60\", expected 0 to 59"));
  EXPECT_THAT(complaint("* 24 * * *"), HasSubstr("hour: found \"24\""));
  EXPECT_THAT(complaint("* * 0 * *"), HasSubstr("day: found \"0\", expected 1 to 31"));
  EXPECT_THAT(complaint("* * * 13 *"), HasSubstr("month: found \"13\", expected 1 to 12 or jan"));
  EXPECT_THAT(complaint("* * * * 8"), HasSubstr("weekday: found \"8\""));
  EXPECT_THAT(complaint("* * * * Mo"), HasSubstr("weekday: found \"Mo\""));
  EXPECT_THAT(complaint("60 * * * * *"), HasSubstr("second: found \"60\""));
}

TEST(Cron, ExplainsInvalidForms) {
  const std::pair<const char*, const char*> cases[] = {
      {"* * * *", "found 4 fields, expected five"},
      {"*", "found 1 field, expected five"},
      {"* * * * * * *", "found 7 fields"},
      {"*/0 * * * *", "minute: the step of \"*/0\" must be 1 to 59"},
      {"*/60 * * * *", "minute: the step of \"*/60\" must be 1 to 59"},
      {"* */24 * * *", "hour: the step of \"*/24\" must be 1 to 23"},
      {"5-1 * * * *", "minute: the range \"5-1\" ends before it starts"},
      {"* * * dec-jan *", "month: the range \"dec-jan\" ends before it starts"},
      {"* * 32 * *", "day: found \"32\", expected 1 to 31"},
      {"* * 1-32 * *", "day: found \"1-32\""},
      {"* * * Foo *", "month: found \"Foo\", expected 1 to 12 or jan to dec"},
      {"* * * * Mon#6", "weekday: found \"Mon#6\", expected a weekday and which of the month"},
      {"* * * * Mon-", "weekday: found \"Mon-\""},
      {"* * * * XL", "weekday: found \"XL\""},
      {"* * W * *", "day: found \"W\""},
      {"* * LW * *", "day: found \"LW\""},
      {"@dayly", "did you mean \"@daily\"?"},
      {"0 0 30 2 *", "never run"},
  };
  for (const auto& [text, message] : cases)
    EXPECT_THAT(complaint(text), HasSubstr(message)) << text;
}

TEST(Cron, RefusesIncompleteExpressions) {
  for (const char* text : {"",
                           "*",
                           "* * * *",
                           "* * * * * * *",
                           ", * * * *",
                           "1, * * * *",
                           "1- * * * *",
                           "-1 * * * *",
                           "*/ * * * *",
                           "*/0 * * * *",
                           "*/x * * * *",
                           "*/60 * * * *",
                           "1-2-3 * * * *",
                           "5-1 * * * *",
                           "+5 * * * *",
                           "1.5 * * * *",
                           "* * * * 5#0",
                           "* * * * 5#6",
                           "* * * * #2",
                           "L * * * *",
                           "? * * * *",
                           "99999999999 * * * *",
                           "@",
                           "@reboot"})
    EXPECT_NE(complaint(text), "none") << text;
}

TEST(Cron, RefusesDaysThatNeverCome) {
  EXPECT_THAT(complaint("0 0 31 2 *"), HasSubstr("never run"));
  EXPECT_THAT(complaint("0 0 31 4,6,9,11 *"), HasSubstr("never run"));
  EXPECT_EQ(complaint("0 0 29 2 *"), "none");
  EXPECT_EQ(complaint("0 0 31 2 Mon"), "none");
}

}  // namespace
}  // namespace heddle::schedule
